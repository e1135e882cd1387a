/** People of institutes and operators of the site: who works where, at which level. */
import type { EventKind, EventPayloads } from '#/event-kinds.ts'
import { type Memberships, type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Database, type Db, inTransaction } from '#/platform/database.ts'
import { noteAtShell } from '#/features/security/service.ts'
import { type NewEvent, recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { acceptInvitations } from './members-store.ts'
import { togetherAt } from '#/platform/together.ts'
import { institutesOf, isOperator, listOperators, type Place, removeOperator, takeOperator } from './store.ts'

export { checkMayEndLogin, endLoginOf } from './members.ts'

/** Those who ask at the same moment, such as the desks that heard of one change, are looked up together. */
const placesOf = togetherAt<Database, SelfScope, Place[]>(institutesOf, { atOnce: 2, most: 50 })

export const memberships = ({ database: { prepared: db } }: Pick<AppContext, 'database'>): Memberships => ({
  institutesOf: (scope) => placesOf(db, scope),
  isOperator: (scope) => isOperator(db, scope),
})

/** In the transaction that confirms an address: whoever it belongs to joins the institutes that invited it. */
export async function joinWhereInvited(transaction: Db, scope: SelfScope, now: Date): Promise<void> {
  const { userId, actor } = scope
  const joined = await acceptInvitations(transaction, scope, now)
  const events = joined.map(({ instituteId, level }): NewEvent<'person.joined', EventPayloads['person.joined']> => {
    return { kind: 'person.joined', instituteId, subjectId: userId, actor, payload: { userId, level }, at: instantText(now.getTime()) }
  })
  await recordEvents(transaction, events)
}

/** Operators are made and unmade by who runs the servers, with `npm run operator`; no call does it. */
const system = systemScope('npm run operator')

async function changeOperator(
  db: Database,
  { email, now, kind, change }: { email: string; now: number; kind: Extract<EventKind, `operator.${string}`>; change: typeof takeOperator },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const userId = await change(transaction, system, email)
    if (userId === null) return false
    const payload: EventPayloads[typeof kind] = { userId }
    await noteAtShell(transaction, system, { kind, userId, at: instantText(now) })
    await recordEvents(transaction, [{ kind, instituteId: null, subjectId: userId, actor: system.actor, payload, at: instantText(now) }])
    return true
  })
}

/** False when nobody new has become one: there is no account with this address confirmed, or it is one already. */
export const addOperator = (db: Database, email: string, now: number): Promise<boolean> =>
  changeOperator(db, { email, now, kind: 'operator.added', change: takeOperator })

/** False when there was none. */
export const endOperator = (db: Database, email: string, now: number): Promise<boolean> =>
  changeOperator(db, { email, now, kind: 'operator.removed', change: removeOperator })

/** Their addresses. */
export const operatorsOf = async (db: Database): Promise<string[]> => (await listOperators(db, system)).map(({ email }) => email)
