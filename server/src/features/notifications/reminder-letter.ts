/** The letter that reminds somebody of the visits of one day. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import type { AppContext } from '#/platform/app-context.ts'
import type { Posting } from '#/features/mails/service.ts'
import { whereOf, type Recipients, type ShownVisit } from '#/features/visits/service.ts'
import { parseInstant } from '#/platform/instants.ts'
import { dayText, longDayText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import type { ReminderKind } from './reminder-store.ts'

interface Reminding {
  kind: ReminderKind
  person: Recipients['person']
  /** Of one day, earliest first. */
  visits: [ShownVisit, ...ShownVisit[]]
  now: number
}

const dayAndTime = (instant: string, timeZone: string, locale: Locale): string =>
  translate(locale, 'mails', 'dayAndTime', { day: longDayText(instant, timeZone, locale), time: timeText(instant, timeZone) })

function factsOf({ row, segments }: ShownVisit, locale: Locale): { label: string; value: string }[] {
  const services = segments.map(({ snapshot, memberName }) =>
    translate(locale, 'mails', 'with', { service: localised(snapshot.name, locale) ?? '', member: memberName }),
  )
  return [
    { label: translate(locale, 'mails', 'when'), value: dayAndTime(row.startsAt, row.timeZone, locale) },
    { label: translate(locale, 'mails', 'where'), value: whereOf(row, locale) },
    { label: translate(locale, 'mails', 'what'), value: services.join('\n') },
  ]
}

/** What may still be changed for nothing, and until when. */
function termsOf({ row: { terms, timeZone } }: ShownVisit, now: number, locale: Locale): string[] {
  const { freeUntil } = terms
  if (freeUntil === null || parseInstant(freeUntil) <= now) return []
  return [translate(locale, 'mails', 'freeUntil', { until: dayAndTime(freeUntil, timeZone, locale) })]
}

export function reminderLetter(context: AppContext, { kind, person, visits, now }: Reminding): Posting {
  const { locale } = person
  const [first] = visits
  const { row } = first
  const words = {
    day: dayText(row.startsAt, row.timeZone, locale),
    time: timeText(row.startsAt, row.timeZone),
    institute: row.instituteName,
  }
  const isOne = visits.length === 1
  return {
    dedupeKey: `reminder:${kind}:${visits.map((visit) => `${visit.row.id}:${visit.row.startsAt}`).join(',')}`.slice(0, 400),
    kind: 'visit_reminder',
    to: person.email,
    userId: person.id,
    appointmentId: row.id,
    instituteId: row.instituteId,
    content: {
      locale,
      name: person.firstName,
      subject: isOne
        ? translate(locale, 'mails', 'reminderSubject', words)
        : translate(locale, 'mails', 'remindersSubject', { ...words, count: visits.length }),
      paragraphs: [
        isOne
          ? translate(locale, 'mails', 'reminderIntro', words)
          : translate(locale, 'mails', 'remindersIntro', { count: visits.length, ...words }),
      ],
      facts: visits.flatMap((visit) => factsOf(visit, locale)),
      action: {
        label: translate(locale, 'mails', isOne ? 'viewVisit' : 'viewVisits'),
        url: context.publicUrl() + (isOne ? sitePath('appointment', { id: row.id }) : sitePath('appointments')),
      },
      notes: isOne ? termsOf(first, now, locale) : [],
    },
  }
}
