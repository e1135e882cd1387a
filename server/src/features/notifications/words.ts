/** The words of a notification, in the language of whoever reads it. */
import type { Notification } from '@soigne/contract/notifications'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import { dayText, ratingText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import type { NotificationFacts, NotificationKind, NotificationRow } from './store.ts'

const forInstitute: ReadonlySet<NotificationKind> = new Set(['came', 'went', 'changed', 'reviewed'])

const listed = (texts: readonly string[], locale: Locale): string => texts.join(locale === 'ar' ? '، ' : ', ')

function servicesOf({ services }: NotificationFacts, locale: Locale): string {
  return listed(
    services.map(({ name, member }) => translate(locale, 'mails', 'with', { service: localised(name, locale) ?? '', member })),
    locale,
  )
}

export function notificationForWire(row: NotificationRow, locale: Locale): Notification {
  const { id, kind, facts, createdAt, isRead, appointmentId } = row
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
  const path =
    kind === 'reviewed' && facts.slug !== undefined
      ? `${sitePath('institute', { slug: facts.slug })}#reviews`
      : isOfInstitute
        ? sitePath('mySalon')
        : kind === 'offered'
          ? `${sitePath('appointments')}#waiting`
          : appointmentId === null
            ? sitePath('appointments')
            : sitePath('appointment', { id: appointmentId })
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
    path,
  }
}
