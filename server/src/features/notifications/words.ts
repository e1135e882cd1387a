/** The words of a notification, in the language of whoever reads it. */
import type { Notification } from '@soigne/contract/notifications'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import { deskPathOf } from '#/features/visits/service.ts'
import { dayText, ratingText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import type { NotificationFacts, NotificationKind, NotificationRow } from './store.ts'

const forInstitute: ReadonlySet<NotificationKind> = new Set(['came', 'went', 'changed', 'shorter', 'new_address', 'reviewed'])

const listed = (texts: readonly string[], locale: Locale): string => texts.join(locale === 'ar' ? '، ' : ', ')

function servicesOf({ services }: NotificationFacts, locale: Locale): string {
  return listed(
    services.map(({ name, member }) => translate(locale, 'mails', 'with', { service: localised(name, locale) ?? '', member })),
    locale,
  )
}

/** Where it leads. */
function pathOf({ kind, facts, appointmentId }: NotificationRow): string {
  if (kind === 'leave_asked') return `${sitePath('team')}#requests`
  if (facts.leave) return `${sitePath('mySalon')}#time-off`
  if (kind === 'reviewed' && facts.slug !== undefined) return `${sitePath('institute', { slug: facts.slug })}#reviews`
  if (forInstitute.has(kind)) return appointmentId === null ? sitePath('mySalon') : deskPathOf({ id: appointmentId, ...facts })
  if (kind === 'offered') return `${sitePath('appointments')}#waiting`
  return appointmentId === null ? sitePath('appointments') : sitePath('appointment', { id: appointmentId })
}

const leaveWords = { on_holiday: 'leaveHoliday', sick_leave: 'leaveSick', other: 'leaveAway' } as const

/** Days off: who asks for which, or what became of it. */
function forLeave(row: NotificationRow, leave: NonNullable<NotificationFacts['leave']>, locale: Locale): Notification {
  const { id, kind, facts, createdAt, isRead } = row
  const day = (instant: string): string => dayText(instant, facts.timeZone, locale)
  const [from, to] = [day(facts.startsAt), day(leave.lastAt)]
  const days = from === to ? from : translate(locale, 'notifications', 'days', { from, to })
  const message = kind === 'leave_asked' ? translate(locale, 'notifications', leaveWords[leave.kind]) : (leave.reason ?? facts.institute)
  return {
    id,
    title: translate(locale, 'notifications', `${kind}Title`, { client: facts.client, days }),
    message,
    timestamp: createdAt,
    isRead,
    type: 'system',
    path: pathOf(row),
  }
}

/** A calendar that lets us in no more: by its name, and where it is connected again. */
const forCalendar = ({ id, createdAt, isRead }: NotificationRow, locale: Locale): Notification => ({
  id,
  title: translate(locale, 'notifications', 'calendar_lostTitle'),
  message: translate(locale, 'notifications', 'calendarLost'),
  timestamp: createdAt,
  isRead,
  type: 'calendar-scope',
  action: 'connect',
  path: `${sitePath('giveAccess')}?type=calendar`,
})

/** What became of the check of a business, and why it was refused. */
const forBusiness = ({ id, kind, facts, createdAt, isRead }: NotificationRow, locale: Locale): Notification => ({
  id,
  title: translate(locale, 'notifications', kind === 'business_accepted' ? 'business_acceptedTitle' : 'business_refusedTitle'),
  message: facts.reason ?? facts.institute,
  timestamp: createdAt,
  isRead,
  type: 'system',
  path: `${sitePath('verification')}#business`,
})

export function notificationForWire(row: NotificationRow, locale: Locale): Notification {
  const { id, kind, facts, createdAt, isRead } = row
  if (kind === 'calendar_lost') return forCalendar(row, locale)
  if (kind === 'business_accepted' || kind === 'business_refused') return forBusiness(row, locale)
  if (facts.leave) return forLeave(row, facts.leave, locale)
  const at = (instant: string) => ({ day: dayText(instant, facts.timeZone, locale), time: timeText(instant, facts.timeZone) })
  const values = {
    ...at(facts.startsAt),
    institute: facts.institute,
    client: facts.client,
    services: servicesOf(facts, locale),
    rating: ratingText(facts.rating ?? 0, locale),
  }
  const before = facts.before === undefined ? '' : translate(locale, 'notifications', 'before', at(facts.before))
  const until = facts.until === undefined ? '' : translate(locale, 'notifications', 'until', at(facts.until))
  const more = facts.more ? translate(locale, 'notifications', 'more', { count: facts.more }) : ''
  const isOfInstitute = forInstitute.has(kind)
  return {
    id,
    title: translate(locale, 'notifications', `${kind}Title`, values),
    message:
      translate(locale, 'notifications', isOfInstitute ? 'institutePlace' : 'clientPlace', values) +
      (before && ` ${before}`) +
      (until && ` ${until}`) +
      (more && ` ${more}`),
    timestamp: createdAt,
    isRead,
    type: kind === 'reminder' ? 'reminder' : 'appointment',
    path: pathOf(row),
  }
}
