/** Letters about another time, and about waiting. Why somebody is away is in none of them. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import type { Posting } from '#/features/mails/service.ts'
import { whereOf, type Recipients, type ShownVisit } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { parseInstant } from '#/platform/instants.ts'
import { dayText, longDayText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'

interface About {
  visit: ShownVisit
  person: Recipients['person']
  dedupeKey: string
}

const dayAndTime = (instant: string, timeZone: string, locale: Locale): string =>
  translate(locale, 'mails', 'dayAndTime', { day: longDayText(instant, timeZone, locale), time: timeText(instant, timeZone) })

const servicesOf = ({ segments }: ShownVisit, locale: Locale): string =>
  segments
    .map(({ snapshot, memberName }) =>
      translate(locale, 'mails', 'with', { service: localised(snapshot.name, locale) ?? '', member: memberName }),
    )
    .join('\n')

const posting = (
  context: AppContext,
  { visit: { row }, person, dedupeKey }: About,
  kind: string,
  content: Posting['content'],
): Posting => ({
  dedupeKey,
  kind,
  to: person.email,
  userId: person.id,
  appointmentId: row.id,
  instituteId: row.instituteId,
  content: {
    ...content,
    action: {
      label: translate(person.locale, 'mails', 'proposalButton'),
      url: context.publicUrl() + sitePath('appointment', { id: row.id }),
    },
  },
})

/** Another time is kept for them; `held` is the visit as it would be. */
export function proposalLetter(context: AppContext, about: About, held: ShownVisit, until: string): Posting {
  const { visit, person } = about
  const { locale } = person
  const { timeZone, instituteName: institute, startsAt } = visit.row
  const words = { institute, day: dayText(startsAt, timeZone, locale), time: timeText(startsAt, timeZone) }
  const kept = { until: dayAndTime(until, timeZone, locale) }
  return posting(context, about, 'visit_proposed', {
    locale,
    name: person.firstName,
    subject: translate(locale, 'mails', 'proposalSubject', words),
    paragraphs: [translate(locale, 'mails', 'proposalIntro', words), translate(locale, 'mails', 'proposalKept', kept)],
    facts: [
      { label: translate(locale, 'mails', 'proposalNow'), value: dayAndTime(startsAt, timeZone, locale) },
      { label: translate(locale, 'mails', 'proposalNew'), value: dayAndTime(held.row.startsAt, timeZone, locale) },
      { label: translate(locale, 'mails', 'what'), value: servicesOf(held, locale) },
      { label: translate(locale, 'mails', 'where'), value: whereOf(visit.row, locale) },
    ],
    notes: [translate(locale, 'mails', 'proposalNote')],
  })
}

/** They have to wait, and until when; and what of it they may leave. */
export function lateLetter(
  context: AppContext,
  about: About,
  late: { position: number; startsAt: string; expectedAt: string },
  left: { isWhole: boolean } | null,
): Posting {
  const { visit, person } = about
  const { locale } = person
  const { timeZone, instituteName: institute } = visit.row
  const one = visit.segments.find(({ position }) => position === late.position)
  const service = localised(one?.snapshot.name ?? null, locale) ?? ''
  const words = { institute, service, time: timeText(late.expectedAt, timeZone), before: timeText(late.startsAt, timeZone) }
  // What comes before it begins as planned, or has begun.
  const isLater = parseInstant(late.startsAt) > parseInstant(visit.row.startsAt)
  return posting(context, about, 'visit_late', {
    locale,
    name: person.firstName,
    subject: translate(locale, 'mails', 'lateSubject', words),
    paragraphs: [translate(locale, 'mails', isLater ? 'lateServiceIntro' : 'lateIntro', words)],
    facts: [{ label: translate(locale, 'mails', 'what'), value: servicesOf(visit, locale) }],
    notes: left ? [translate(locale, 'mails', left.isWhole ? 'lateNote' : 'lateRestNote')] : [],
  })
}

/** They do not have to wait any more. */
export function onTimeLetter(context: AppContext, about: About, startsAt: string): Posting {
  const { visit, person } = about
  const { locale } = person
  const words = { institute: visit.row.instituteName, time: timeText(startsAt, visit.row.timeZone) }
  return posting(context, about, 'visit_on_time', {
    locale,
    name: person.firstName,
    subject: translate(locale, 'mails', 'onTimeSubject', words),
    paragraphs: [translate(locale, 'mails', 'onTimeIntro', words)],
    facts: [],
    notes: [],
  })
}
