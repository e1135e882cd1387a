/** npm run admin: who may decide about institutes and reviews of the whole site, and what is decided about claims and reported reviews. */
import { addOperator, endOperator, operatorsOf } from '../server/src/features/people/service.ts'
import { decideOnReview, openReports } from '../server/src/features/reviews/service.ts'
import { decideOnClaim, waitingClaims } from '../server/src/features/setup/service.ts'
import type { Database } from '../server/src/platform/database.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run admin -- add EMAIL | remove EMAIL | list | claims | accept ID | refuse ID | reviews | keep ID | hide ID

  add      makes an account an operator of the site; its email must be confirmed
  remove   takes that back, with the next request
  list     prints the addresses of all operators
  claims   prints who says that a listed institute is theirs, the longest waiting first, one JSON line each
  accept   gives the institute to who claims it, with all that they told in the setup; it can be booked at once
  refuse   leaves it as it is
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

const isId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

const decided =
  (decision: 'kept' | 'hidden'): Command =>
  async (db, id, now) => {
    if (!isId(id) || !(await decideOnReview(db, { id, decision, now }))) return failed(`there is no review ${id}`)
    console.log(`the review is ${decision}`)
  }

const decidedClaim =
  (decision: 'accepted' | 'refused'): Command =>
  async (db, id, now) => {
    const outcome = isId(id) ? await decideOnClaim(db, { id, decision, now }) : 'unknown'
    if (outcome === 'unknown') return failed(`no claim ${id} waits`)
    if (outcome === 'taken') return failed('somebody manages this institute already, or who claims it has another one')
    console.log(`the claim is ${decision}`)
  }

const commands: Record<string, { takes: 0 | 1; run: Command }> = {
  add: { takes: 1, run: async (db, email, now) => changed(db, email, true, await addOperator(db, email, now)) },
  remove: { takes: 1, run: async (db, email, now) => changed(db, email, false, await endOperator(db, email, now)) },
  list: { takes: 0, run: async (db) => console.log((await operatorsOf(db)).join('\n')) },
  claims: {
    takes: 0,
    run: async (db) => {
      for (const one of await waitingClaims(db)) console.log(JSON.stringify(one))
    },
  },
  accept: { takes: 1, run: decidedClaim('accepted') },
  refuse: { takes: 1, run: decidedClaim('refused') },
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
