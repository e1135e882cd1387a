/** npm run operator: who may decide about institutes and reviews of the whole site, and what is decided about reported reviews. */
import { addOperator, endOperator, operatorsOf } from '../server/src/features/people/service.ts'
import { decideOnReview, openReports } from '../server/src/features/reviews/service.ts'
import type { Database } from '../server/src/platform/database.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run operator -- add EMAIL | remove EMAIL | list | reviews | keep ID | hide ID

  add      makes an account an operator of the site; its email must be confirmed
  remove   takes that back, with the next request
  list     prints the addresses of all operators
  reviews  prints the reviews that somebody reported or an institute contests, the longest waiting first, one JSON line each
  keep     lets a review stand; what was reported of it is closed
  hide     takes a review off its page; it counts no more`

type Command = (db: Database, argument: string, now: number) => Promise<void>

function failed(text: string): void {
  process.exitCode = 1
  console.error(text)
}

async function changed(db: Database, email: string, isAdded: boolean, isDone: boolean): Promise<void> {
  if (isDone) return console.log(isAdded ? `${email} is an operator now` : `${email} is no operator any more`)
  const others = await operatorsOf(db)
  const isOne = others.some((one) => one.toLowerCase() === email.toLowerCase())
  if (!isAdded) return failed(`${email} is no operator`)
  failed(isOne ? `${email} is an operator already` : `no confirmed account has the address ${email}`)
}

const decided =
  (decision: 'kept' | 'hidden'): Command =>
  async (db, id, now) => {
    if (!/^[0-9a-f-]{36}$/.test(id) || !(await decideOnReview(db, { id, decision, now }))) return failed(`there is no review ${id}`)
    console.log(`the review is ${decision}`)
  }

const commands: Record<string, { takes: 0 | 1; run: Command }> = {
  add: { takes: 1, run: async (db, email, now) => changed(db, email, true, await addOperator(db, email, now)) },
  remove: { takes: 1, run: async (db, email, now) => changed(db, email, false, await endOperator(db, email, now)) },
  list: { takes: 0, run: async (db) => console.log((await operatorsOf(db)).join('\n')) },
  reviews: {
    takes: 0,
    run: async (db) => {
      for (const one of await openReports(db)) console.log(JSON.stringify(one))
    },
  },
  keep: { takes: 1, run: decided('kept') },
  hide: { takes: 1, run: decided('hidden') },
}

const [what = '', argument = ''] = process.argv.slice(2)
const command = Object.hasOwn(commands, what) ? commands[what] : undefined
if (!command || (command.takes === 1) !== (argument !== '')) {
  console.error(usage)
  process.exit(2)
}
await withDatabase(readSettings(process.env), ({ db }, { now }) => command.run(db, argument, now))
