/** The calendar elsewhere that says when a member is busy: given, shown and removed. */
import type { BusyCalendar } from '@soigne/contract/busy-calendars'
import { dayMs, minuteMs } from '@soigne/contract/time'
import { syncExternal } from '#/features/diary-entries/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { seal } from '#/platform/sealed.ts'
import { purpose, readAddress, takeBusy } from './reading.ts'
import { calendarOf, findShown, putCalendar, removeCalendar } from './store.ts'

type ChangeScope = InstituteScope<'team.change'>

/** @throws not_found */
export async function busyCalendarOf(
  context: AppContext,
  scope: ChangeScope,
  memberId: string,
): Promise<{ calendar: BusyCalendar | null; timeZone: string }> {
  const found = await findShown(context.database.db, scope, memberId, new Date(context.clock.now()))
  if (!found) throw refuse('not_found')
  const { host, timeZone, hits, ...rest } = found
  const instant = (text: string): string => instantText(parseInstant(text))
  const shown = hits.map((one) => ({ ...one, startsAt: instant(one.startsAt), endsAt: instant(one.endsAt) }))
  return { calendar: host === null ? null : { host, ...rest, hits: shown }, timeZone }
}

/** As calendars give it: `webcal:` is another word for https. @throws bad_input */
function addressOf(typed: string, anywhere: boolean): URL {
  const text = typed.trim().replace(/^webcals?:/i, 'https:')
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !(anywhere ? /^https?:$/ : /^https:$/).test(url.protocol) || url.username !== '' || url.password !== '')
    throw refuseField('address', 'calendar_address')
  url.hash = ''
  return url
}

/** Read before it is kept, so that whoever gives it hears at once what is wrong with it. @throws not_found, bad_input */
export async function setBusyCalendar(context: AppContext, scope: ChangeScope, memberId: string, typed: string): Promise<void> {
  const { settings, clock, database } = context
  const member = await findShown(database.db, scope, memberId, new Date(clock.now()))
  if (!member) throw refuse('not_found')
  const url = addressOf(typed, settings.busyCalendars.anywhere)
  const read = await readAddress(context, url.href, { timeZone: member.timeZone })
  if ('problem' in read) throw refuseField('address', `calendar_${read.problem}`)
  if ('isSame' in read) throw refuseField('address', 'calendar_refused')
  const now = clock.now()
  const addressSealed = seal(settings.tokenKeys, purpose, url.href)
  const id = await putCalendar(database.db, scope, {
    memberId,
    addressSealed,
    host: url.host,
    now: new Date(now),
    dueAt: new Date(now + settings.busyCalendars.minutes * minuteMs),
  })
  if (id === null) throw refuse('not_found')
  await takeBusy(context, scope, { id, memberId, addressSealed }, read)
}

/** As far as anything is entered. */
const far = 799 * dayMs

/** What it took is free again in the same change. @throws not_found */
export async function removeBusyCalendar(context: AppContext, scope: ChangeScope, memberId: string): Promise<void> {
  const id = await calendarOf(context.database.db, scope, memberId)
  if (id === null) throw refuse('not_found')
  const now = Math.floor(context.clock.now() / minuteMs) * minuteMs
  const all = { startsAt: instantText(now - far), endsAt: instantText(now + far) }
  await syncExternal(context, scope, { memberId, sourceId: id, ...all, busy: [] }, (unit) => removeCalendar(unit, id))
}
