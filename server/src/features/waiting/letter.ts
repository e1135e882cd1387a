/** The letter that tells of a time held for somebody who waits. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import type { Posting } from '#/features/mails/service.ts'
import { homeText } from '#/features/at-home/service.ts'
import { type Recipients, type ShownVisit, whereOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { dayText, longDayText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'

interface Offered {
  offerId: string
  /** Instant, ISO. */
  until: string
  visit: ShownVisit
  /** Where it would be, at home. */
  home: Parameters<typeof homeText>[0] | null
  person: Recipients['person']
}

/** Where offers are answered. */
export const answerPath = `${sitePath('appointments')}#waiting`

const dayAndTime = (instant: string, timeZone: string, locale: Locale): string =>
  translate(locale, 'mails', 'dayAndTime', { day: longDayText(instant, timeZone, locale), time: timeText(instant, timeZone) })

export function offerLetter(context: AppContext, { offerId, until, visit: { row, segments }, home, person }: Offered): Posting {
  const { locale } = person
  const { timeZone } = row
  const words = {
    day: dayText(row.startsAt, timeZone, locale),
    time: timeText(row.startsAt, timeZone),
    institute: row.instituteName,
    until: timeText(until, timeZone),
  }
  const services = segments.map(({ snapshot, memberName }) =>
    translate(locale, 'mails', 'with', { service: localised(snapshot.name, locale) ?? '', member: memberName }),
  )
  return {
    dedupeKey: `offer:${offerId}`,
    kind: 'waiting_offer',
    to: person.email,
    userId: person.id,
    instituteId: row.instituteId,
    content: {
      locale,
      name: person.firstName,
      subject: translate(locale, 'mails', 'offerSubject', words),
      paragraphs: [translate(locale, 'mails', 'offerIntro', words)],
      facts: [
        { label: translate(locale, 'mails', 'when'), value: dayAndTime(row.startsAt, timeZone, locale) },
        { label: translate(locale, 'mails', 'where'), value: [whereOf(row, locale), ...(home ? [homeText(home)] : [])].join('\n') },
        { label: translate(locale, 'mails', 'what'), value: services.join('\n') },
      ],
      action: { label: translate(locale, 'mails', 'offerButton'), url: context.publicUrl() + answerPath },
      notes: [translate(locale, 'mails', 'offerNote')],
    },
  }
}
