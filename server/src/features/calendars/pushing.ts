/** Brings one visit into the calendar of its client as it is now: however often it is done, and in whatever order, the calendar ends right. */
import { createHash } from 'node:crypto'
import { sitePath } from '@soigne/contract/site-routes'
import * as z from 'zod/mini'
import { accessTokenFor, giveBack } from '#/features/identities/service.ts'
import { postMail } from '#/features/mails/service.ts'
import { notify } from '#/features/notifications/service.ts'
import { findShown, type ShownVisit, wordsOfVisit } from '#/features/visits/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { addJobs, type QueuedJob } from '#/platform/jobs.ts'
import { unseal } from '#/platform/sealed.ts'
import { translate } from '#/texts/translate.ts'
import { type CalendarApi, calendarApi, CalendarError, type CalendarEvent } from './calendar-api.ts'
import {
  comingVisits,
  type Connection,
  findConnection,
  isAccountUsed,
  keepCalendarId,
  markBroken,
  markSynced,
  personOf,
  type VisitOfUser,
} from './store.ts'

const system = systemScope('write visits into calendars')
export const tokenPurpose = 'calendar token'
const calendarName = 'Soigné'
const queues = 4

const pushed = z.object({ userId: z.string(), appointmentId: z.string() })

/** Those of one person run one after the other; a slow provider holds up no letters. */
export const pushJob = ({ userId, appointmentId }: VisitOfUser): QueuedJob => ({
  name: 'push_visit',
  payload: { userId, appointmentId },
  key: `push:${appointmentId}`,
  queue: `calendars ${createHash('md5').update(userId).digest().readUInt16BE(0) % queues}`,
})

/** All that is to come, such as when a calendar was connected or made anew. */
export async function pushAll({ clock }: AppContext, db: Db, scope: SelfScope): Promise<void> {
  const { userId } = scope
  const all = await comingVisits(db, scope, new Date(clock.now()))
  await addJobs(
    db,
    all.map(({ appointmentId }) => pushJob({ userId, appointmentId })),
  )
}

function eventOf(visit: ShownVisit, locale: Connection['locale'], publicUrl: string): CalendarEvent {
  const { startsAt, endsAt, timeZone } = visit.row
  const { summary, description, location, url } = wordsOfVisit(visit.row, visit.segments, locale, publicUrl)
  return {
    summary,
    description,
    location,
    start: { dateTime: startsAt, timeZone },
    end: { dateTime: endsAt, timeZone },
    source: { title: calendarName, url },
    status: 'confirmed',
  }
}

/** What was let is taken back: nothing is tried any more, and its person is told. */
async function giveUp(context: AppContext, scope: SelfScope, refreshToken: string): Promise<void> {
  await inTransaction(context.database.db, async (transaction) => {
    if (!(await markBroken(transaction, scope, refreshToken))) return
    const { email, firstName, locale } = await personOf(transaction, scope)
    const dedupeKey = `calendar-broken:${createHash('sha256').update(refreshToken).digest('base64url')}`
    const at = new Date(context.clock.now())
    const facts = { institute: '', client: firstName ?? '', services: [], startsAt: instantText(at.getTime()), timeZone: 'UTC' }
    await notify(transaction, [{ to: { userId: scope.userId }, kind: 'calendar_lost', appointmentId: null, facts, dedupeKey, at }])
    await postMail(transaction, {
      dedupeKey,
      kind: 'calendar_broken',
      to: email,
      userId: scope.userId,
      content: {
        locale,
        subject: translate(locale, 'mails', 'calendarSubject'),
        name: firstName,
        paragraphs: [translate(locale, 'mails', 'calendarIntro')],
        action: {
          label: translate(locale, 'mails', 'calendarButton'),
          url: `${context.publicUrl()}${sitePath('giveAccess')}?type=calendar`,
        },
      },
    })
  })
}

/** What is written, and the connection by which. */
interface Written {
  appointmentId: string
  refreshToken: string
}

/** Null where the account was connected anew meanwhile, this or another: all is pushed there. */
async function calendarOf(
  { database: { db } }: AppContext,
  scope: SelfScope,
  api: CalendarApi,
  { refreshToken, instead }: { refreshToken: string; instead: string | null },
): Promise<string | null> {
  const calendarId = await api.makeCalendar(calendarName)
  if (await keepCalendarId(db, scope, { calendarId, instead, refreshToken })) return calendarId
  // Another was quicker: one calendar is enough.
  await api.removeCalendar(calendarId)
  const connection = await findConnection(db, scope)
  return connection?.refreshToken === refreshToken ? connection.calendarId : null
}

async function write(context: AppContext, scope: SelfScope, api: CalendarApi, { appointmentId, refreshToken }: Written): Promise<void> {
  const { db } = context.database
  const connection = await findConnection(db, scope)
  if (connection?.refreshToken !== refreshToken) return
  const visit = await findShown(db, scope, appointmentId)
  const eventId = appointmentId.replaceAll('-', '')
  if (visit?.row.life !== 'booked') {
    if (connection.calendarId !== null) await api.remove(connection.calendarId, eventId)
    return
  }
  const event = eventOf(visit, connection.locale, context.publicUrl())
  const known = connection.calendarId ?? (await calendarOf(context, scope, api, { refreshToken, instead: null }))
  if (known === null) return
  try {
    await api.put(known, eventId, event)
  } catch (error) {
    if (!(error instanceof CalendarError) || error.status !== 404) throw error
    // They removed the calendar; connected they still are.
    const anew = await calendarOf(context, scope, api, { refreshToken, instead: known })
    if (anew === null) return
    await api.put(anew, eventId, event)
    await pushAll(context, db, scope)
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof CalendarError && error.status === 403 && /insufficient|forbidden|accessNotConfigured/i.test(error.reason)

/** Throwing makes it run again later: the provider is away, or has had enough of us for the moment. */
export async function pushVisit(context: AppContext, payload: unknown): Promise<void> {
  const { userId, appointmentId } = pushed.parse(payload)
  const { db } = context.database
  const scope = system.user(userId)
  const connection = await findConnection(db, scope)
  if (connection?.state !== 'connected') return
  const refreshToken = unseal(context.settings.tokenKeys, tokenPurpose, connection.refreshToken)
  if (refreshToken === null) return giveUp(context, scope, connection.refreshToken)
  for (const isLast of [false, true]) {
    const accessToken = await accessTokenFor(context, refreshToken)
    if (accessToken === null) return giveUp(context, scope, connection.refreshToken)
    try {
      await write(context, scope, calendarApi(context, accessToken), { appointmentId, refreshToken: connection.refreshToken })
      return await markSynced(db, scope, { refreshToken: connection.refreshToken, now: new Date(context.clock.now()) })
    } catch (error) {
      if (isRefused(error)) return giveUp(context, scope, connection.refreshToken)
      if (isLast || !(error instanceof CalendarError) || error.status !== 401) throw error
    }
  }
}

/** Jobs of before name no account. */
const forgotten = z.object({ account: z.nullish(z.string()), refreshToken: z.string(), calendarId: z.nullable(z.string()) })
export type Forgotten = z.output<typeof forgotten>

/** After an account was left: what was written goes, and then our word. It is one word for an account, whoever connected it and however often. */
export async function forgetCalendar(context: AppContext, payload: unknown): Promise<void> {
  const { account, refreshToken: sealed, calendarId } = forgotten.parse(payload)
  const refreshToken = unseal(context.settings.tokenKeys, tokenPurpose, sealed)
  const accessToken = refreshToken === null ? null : await accessTokenFor(context, refreshToken)
  if (refreshToken === null || accessToken === null) return
  if (calendarId !== null)
    await calendarApi(context, accessToken)
      .removeCalendar(calendarId)
      .catch((error: unknown) => {
        if (!(error instanceof CalendarError) || ![403, 404, 410].includes(error.status)) throw error
      })
  if (typeof account === 'string' && (await isAccountUsed(context.database.db, system, account))) return
  await giveBack(context, refreshToken)
}
