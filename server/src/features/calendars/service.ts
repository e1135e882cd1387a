/** How somebody's visits reach their calendar: a connection that visits are written through, and a secret address they are fetched from. */
import { dayMs } from '@soigne/contract/time'
import type { CalendarsOfUser } from '@soigne/contract/calendars'
import { calendarCalls } from '@soigne/contract/calendars'
import { calendarUrlOf, finishAtProvider, type Grant, type Identity, providerName, type Returned } from '#/features/identities/service.ts'
import { untell } from '#/features/notifications/service.ts'
import { calendarOfVisits, listOwn, segmentsOf } from '#/features/visits/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import { seal } from '#/platform/sealed.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { type Forgotten, pushAll, tokenPurpose } from './pushing.ts'
import { deleteConnection, deleteFeed, findConnection, findFeed, readerOf, replaceFeed, saveConnection } from './store.ts'

const system = systemScope('read the visits behind a secret address')

export async function calendarsOf(context: AppContext, scope: SelfScope): Promise<CalendarsOfUser> {
  const { db } = context.database
  const [connection, feed] = await Promise.all([findConnection(db, scope), findFeed(db, scope)])
  return {
    provider: calendarUrlOf(context) === null ? null : providerName(context),
    connection: connection && { state: connection.state, account: connection.account, syncedAt: connection.syncedAt },
    feed,
  }
}

/** Keeps what somebody let us do, within the caller's transaction. False when that is not enough to write by ourselves. */
export async function connect(context: AppContext, db: Db, scope: SelfScope, { identity, grant }: Connecting): Promise<boolean> {
  if (!grant.hasCalendar || grant.refreshToken === null || calendarUrlOf(context) === null) return false
  const refreshToken = seal(context.settings.tokenKeys, tokenPurpose, grant.refreshToken)
  const now = new Date(context.clock.now())
  const left = await saveConnection(db, scope, { account: identity.email, refreshToken, now })
  if (left) await forgetLater(db, left)
  await untell(db, scope, 'calendar_lost', now)
  await pushAll(context, db, scope)
  return true
}

/** The same for a login that was not for the calendar: where visits go to another account already, they go on. */
export async function connectBeside(context: AppContext, db: Db, scope: SelfScope, connecting: Connecting): Promise<boolean> {
  const before = await findConnection(db, scope)
  if (before?.state === 'connected' && before.account !== connecting.identity.email) return false
  return connect(context, db, scope, connecting)
}

interface Connecting {
  identity: Pick<Identity, 'email'>
  grant: Grant
}

/** Returns the path it was begun for. @throws sign_in_failed, calendar_refused, unavailable */
export async function connectCalendar(context: AppContext, scope: SelfScope, returned: Returned, cookies: string): Promise<string | null> {
  const finished = await finishAtProvider(context, returned, cookies)
  if (!(await inTransaction(context.database.db, (transaction) => connect(context, transaction, scope, finished))))
    throw refuse('calendar_refused')
  return finished.from
}

/** What was written into it is taken out again, and our word given back, once the transaction is committed: that account may be away. */
const forgetLater = (transaction: Db, left: Forgotten): Promise<void> => addJob(transaction, 'forget_calendar', left)

/** Ends the connection, where there is one. */
export async function leaveCalendar(transaction: Db, scope: SelfScope): Promise<void> {
  const gone = await deleteConnection(transaction, scope)
  if (gone) await forgetLater(transaction, gone)
}

/** Nothing is written elsewhere any more, and nothing fetched. */
export async function endCalendars(transaction: Db, scope: SelfScope): Promise<void> {
  await leaveCalendar(transaction, scope)
  await deleteFeed(transaction, scope)
}

export async function disconnectCalendar(context: AppContext, scope: SelfScope): Promise<void> {
  await inTransaction(context.database.db, async (transaction) => {
    await leaveCalendar(transaction, scope)
    await untell(transaction, scope, 'calendar_lost', new Date(context.clock.now()))
  })
}

/** Gives the address, which nobody can be told again. */
export async function makeFeed(context: AppContext, scope: SelfScope): Promise<string> {
  const token = randomToken()
  await replaceFeed(context.database.db, scope, { tokenHash: hashToken(token), now: new Date(context.clock.now()) })
  return context.publicUrl() + calendarCalls.calendarFeed.path.replace(':token', token)
}

export const removeFeed = (context: AppContext, scope: SelfScope): Promise<void> => deleteFeed(context.database.db, scope)

const mostVisits = 300
/** Visits that are over stay for a while, so that calendars do not drop them from under their owners. */
const keptMs = 30 * dayMs

/** @throws not_found */
export async function feedOf(context: AppContext, token: string): Promise<string> {
  const { db } = context.database
  const reader = await readerOf(db, system, hashToken(token))
  if (!reader) throw refuse('not_found')
  const scope = system.user(reader.userId)
  const now = context.clock.now()
  const { rows } = await listOwn(db, scope, { status: null, when: null, now: new Date(now), offset: 0, limit: mostVisits })
  const shown = rows.filter(({ endsAt }) => parseInstant(endsAt) > now - keptMs)
  const segments = await segmentsOf(
    db,
    scope,
    shown.map(({ id }) => id),
  )
  const visits = shown.map((row) => ({ row, segments: segments.get(row.id) ?? [] }))
  return calendarOfVisits(visits, reader.locale, context.publicUrl(), 'subscribed')
}
