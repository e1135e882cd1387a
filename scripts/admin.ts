/** npm run admin: who may decide about institutes and reviews of the whole site, and what is decided about claims, businesses, reported reviews and reported conversations. */
import { checkForShell, saveDocuments } from './business-documents.ts'
import { checkThatWaits, decideOnCheck, longestReason, waitingChecks } from '../server/src/features/business-check/service.ts'
import { closeChatReport, decideOnChat, openChatReports } from '../server/src/features/chat/service.ts'
import { addOperator, endOperator, operatorsOf } from '../server/src/features/people/service.ts'
import { decideOnReview, openReports } from '../server/src/features/reviews/service.ts'
import { decideOnClaim, waitingClaims } from '../server/src/features/setup/service.ts'
import type { Database } from '../server/src/platform/database.ts'
import { readSettings } from '../server/src/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run admin -- add EMAIL | remove EMAIL | list | claims | accept ID | refuse ID | business-checks | business-check ID FOLDER |
  accept-business ID | refuse-business ID REASON | reviews | keep ID | hide ID | conversations | close ID |
  stop ID | allow ID

  add      makes an account an operator of the site; its email must be confirmed
  remove   takes that back, with the next request
  list     prints the addresses of all operators
  claims   prints who says that a listed institute is theirs, the longest waiting first, one JSON line each
  accept   gives the institute to who claims it, with all that they told in the setup; it can be booked at once
  refuse   leaves it as it is
  business-checks  prints what waits of businesses to be checked, the longest waiting first, one JSON line each
  business-check   prints one of them, and puts its documents into a folder
  accept-business  what was sent is right; its owner is told, and nothing changes on a page or an invoice
  refuse-business  it is not; its owner is told the reason, as it is written here
  reviews  prints the reviews that somebody reported or an institute contests, the longest waiting first, one JSON line each
  keep     lets a review stand; what was reported of it is closed
  hide     takes a review off its page; it counts no more
  conversations  prints the conversations that somebody reported, with why and what was last said there, the longest waiting first, one JSON line each
  close    has looked at a report of a conversation; it waits no more
  stop     lets nobody write in a conversation (its conversationId) any more; both sides read why, and all that was said stays there
  allow    lets them write again`

type Command = (db: Database, argument: string, now: number, second: string) => Promise<void>

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

const decidedChat =
  (decision: 'stopped' | 'allowed'): Command =>
  async (db, id, now) => {
    if (!isId(id) || !(await decideOnChat(db, { id, decision, now })))
      return failed(`there is no conversation ${id} that is not ${decision} already`)
    console.log(`the conversation is ${decision}`)
  }

const noCheck = (id: string): void => failed(`no business check ${id} waits`)

const showCheck: Command = async (db, id, _now, folder) => {
  const check = isId(id) ? await checkThatWaits(db, id) : null
  if (!check) return noCheck(id)
  const files = await saveDocuments(readSettings(process.env), check.documents, folder)
  console.log(JSON.stringify({ ...checkForShell(check), files }))
}

const decidedCheck =
  (decision: 'accepted' | 'refused'): Command =>
  async (db, id, now, given) => {
    const reason = decision === 'refused' ? given.trim() : null
    if (reason === '' || (reason?.length ?? 0) > longestReason) return failed(`the reason has 1 to ${longestReason} letters`)
    if (!isId(id) || !(await decideOnCheck(db, { id, reason, now }))) return noCheck(id)
    console.log(`the business check is ${decision}`)
  }

const commands: Record<string, { takes: 0 | 1 | 2; run: Command }> = {
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
  'business-checks': {
    takes: 0,
    run: async (db) => {
      for (const one of await waitingChecks(db)) console.log(JSON.stringify(checkForShell(one)))
    },
  },
  'business-check': { takes: 2, run: showCheck },
  'accept-business': { takes: 1, run: decidedCheck('accepted') },
  'refuse-business': { takes: 2, run: decidedCheck('refused') },
  reviews: {
    takes: 0,
    run: async (db) => {
      for (const one of await openReports(db)) console.log(JSON.stringify(one))
    },
  },
  conversations: {
    takes: 0,
    run: async (db) => {
      for (const one of await openChatReports(db)) console.log(JSON.stringify(one))
    },
  },
  close: {
    takes: 1,
    run: async (db, id, now) => {
      if (!isId(id) || !(await closeChatReport(db, { id, now }))) return failed(`no report ${id} waits`)
      console.log('the report is closed')
    },
  },
  stop: { takes: 1, run: decidedChat('stopped') },
  allow: { takes: 1, run: decidedChat('allowed') },
  keep: { takes: 1, run: decided('kept') },
  hide: { takes: 1, run: decided('hidden') },
}

const [what = '', argument = '', second = '', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, what) ? commands[what] : undefined
const given = [argument, second].filter((one) => one !== '').length + rest.length
if (!command || command.takes !== given) {
  console.error(usage)
  process.exit(2)
}
await withDatabase(readSettings(process.env), ({ db }, { now }) => command.run(db, argument, now, second))
