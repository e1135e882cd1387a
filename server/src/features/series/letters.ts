/** One letter for a whole series, to the client and to the institute. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import { visitTimeLines } from '#/features/appointments/service.ts'
import type { Posting } from '#/features/mails/service.ts'
import { whereOf, calendarOfVisits, deskPathOf, type Recipients, type ShownVisit, totalKindOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { moneyText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'

interface Story extends Recipients {
  /** Soonest first, at least one. */
  visits: readonly [ShownVisit, ...ShownVisit[]]
  event: number
  fact: 'made' | 'cancelled'
  /** Of those that were cancelled: what went back, what was paid and is settled at the salon, and sessions by their package; nothing of those that were made. */
  gone: { refunded: number; left: number; sessions: ReadonlyMap<string, number> }
}

const moneyIn = ({ visits: [{ row }] }: Story, amount: number, locale: Locale): string =>
  moneyText({ amount, currency: row.currency }, locale)

function goneWords(story: Story, locale: Locale): string[] {
  const { refunded, left, sessions } = story.gone
  return [
    ...(refunded > 0 ? [translate(locale, 'mails', 'moneyBack', { refunded: moneyIn(story, refunded, locale) })] : []),
    ...(left > 0 ? [translate(locale, 'mails', 'moneyAtSalon', { left: moneyIn(story, left, locale) })] : []),
    ...[...sessions].map(([name, count]) => translate(locale, 'mails', 'sessionBack', { package: name, count })),
  ]
}

const titles = {
  made: { client: 'seriesSubject', intro: 'seriesIntro', owner: 'ownerSeriesSubject', ownerIntro: 'ownerSeriesIntro' },
  cancelled: {
    client: 'seriesCancelledSubject',
    intro: 'seriesCancelledIntro',
    owner: 'ownerSeriesCancelledSubject',
    ownerIntro: 'ownerSeriesCancelledIntro',
  },
} as const

/** When it is and what it costs then: a price may change from one visit to the next. */
function lineOf({ row, segments }: ShownVisit, locale: Locale, reader: 'client' | 'institute'): string {
  const time = visitTimeLines(row, locale, reader).join(', ')
  const kind = totalKindOf(segments)
  const price = moneyText({ amount: row.totalAmount, currency: row.currency }, locale)
  const cost =
    kind === 'on_request'
      ? translate(locale, 'mails', 'onRequest')
      : kind === 'from'
        ? translate(locale, 'mails', 'fromPrice', { price })
        : price
  return translate(locale, 'mails', 'seriesLine', { time, price: cost, reference: row.reference })
}

function factsFor({ visits }: Story, locale: Locale, reader: 'client' | 'institute'): { label: string; value: string }[] {
  const services = visits[0].segments.map((segment) =>
    translate(locale, 'mails', 'with', { service: localised(segment.snapshot.name, locale) ?? '', member: segment.memberName }),
  )
  return [
    { label: translate(locale, 'mails', 'when'), value: visits.map((visit) => lineOf(visit, locale, reader)).join('\n') },
    { label: translate(locale, 'mails', 'what'), value: services.join('\n') },
  ]
}

export function lettersOfSeries(context: AppContext, story: Story): Posting[] {
  const { visits, person, institute, event, fact } = story
  const [{ row }] = visits
  const values = {
    count: visits.length,
    institute: row.instituteName,
    client: `${person.firstName} ${person.lastName}`.trim(),
  }
  const about = { appointmentId: row.id, instituteId: row.instituteId }
  const { locale } = person
  const facts = factsFor(story, locale, 'client')
  facts.splice(1, 0, { label: translate(locale, 'mails', 'where'), value: whereOf(row, locale) })
  const toClient: Posting = {
    ...about,
    dedupeKey: `event:${event}:client`,
    kind: `series_${fact}`,
    to: person.email,
    userId: person.id,
    content: {
      locale,
      name: person.firstName,
      subject: translate(locale, 'mails', titles[fact].client, values),
      paragraphs: [translate(locale, 'mails', titles[fact].intro, values), ...goneWords(story, locale)],
      facts,
      action: { label: translate(locale, 'mails', 'viewVisits'), url: context.publicUrl() + sitePath('appointments') },
      notes: [],
    },
    attachments: [
      {
        filename: 'visits.ics',
        contentType: `text/calendar; charset=utf-8; method=${fact === 'cancelled' ? 'CANCEL' : 'PUBLISH'}`,
        content: calendarOfVisits(visits, locale, context.publicUrl(), 'saved'),
      },
    ],
  }
  if (!institute) return [toClient]
  const words = factsFor(story, institute.locale, 'institute')
  if (person.phone) words.push({ label: translate(institute.locale, 'mails', 'phone'), value: person.phone })
  const toInstitute: Posting = {
    ...about,
    dedupeKey: `event:${event}:institute`,
    kind: `institute_series_${fact}`,
    to: institute.email,
    content: {
      locale: institute.locale,
      name: row.instituteName,
      subject: translate(institute.locale, 'mails', titles[fact].owner, values),
      paragraphs: [
        translate(institute.locale, 'mails', titles[fact].ownerIntro, values),
        ...(story.gone.left > 0
          ? [translate(institute.locale, 'mails', 'moneyToSettle', { left: moneyIn(story, story.gone.left, institute.locale) })]
          : []),
      ],
      facts: words,
      action: { label: translate(institute.locale, 'mails', 'viewVisit'), url: context.publicUrl() + deskPathOf(row) },
    },
  }
  return [toClient, toInstitute]
}
