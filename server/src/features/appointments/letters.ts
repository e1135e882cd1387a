/** The letters about a visit, to the client and to the institute. */
import { sitePath } from '@soigne/contract/site-routes'
import type { VisitSessions } from '@soigne/contract/vouchers'
import type { Locale } from '@soigne/contract/wire'
import {
  type AppointmentRow,
  deskPathOf,
  type Recipients,
  type SegmentRow,
  statusOf,
  totalKindOf,
  whereOf,
} from '#/features/visits/service.ts'
import { homeText, lettersToPerformers, type ToldHome } from '#/features/at-home/service.ts'
import type { Posting } from '#/features/mails/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { localised, translate } from '#/texts/translate.ts'
import { dayText, longDayText, moneyText, timeText } from '#/texts/formats.ts'
import { calendarFile } from './calendar-file.ts'
import { visitTimeLines } from './visit-time.ts'

type Fact = 'booked' | 'moved' | 'shortened' | 'readdressed' | 'cancelled'

/** What happened, and who is told. */
interface Story extends Recipients {
  row: AppointmentRow
  segments: SegmentRow[]
  /** The same one is never mailed twice. */
  key: string
  fact: Fact
  /** Start before a move. */
  before: string | null
  /** The service that was let go, and what goes back for it. */
  removed: { service: Partial<Record<string, string>>; refunded: number } | null
  /** Why it was cancelled, where that is for the client to read. */
  reason: string | null
  byClient: boolean
  /** Of a visit at home. */
  home: ToldHome | null
  /** What was paid of it, went back and was kept, where anything was. */
  money: { paid: number; refunded: number; atBank: number; kept: number; left: number } | null
  /** What becomes of the sessions of packages that paid for it, once it is cancelled. */
  sessions: VisitSessions
}

const titles = {
  booked: {
    client: 'bookedSubject',
    clientIntro: 'bookedIntro',
    owner: 'ownerBookedSubject',
    ownerIntro: 'ownerBookedIntro',
    ownIntro: 'ownerBookedIntro',
  },
  moved: {
    client: 'movedSubject',
    clientIntro: 'movedIntro',
    owner: 'ownerMovedSubject',
    ownerIntro: 'ownerMovedIntro',
    ownIntro: 'ownMovedIntro',
  },
  shortened: {
    client: 'shortenedSubject',
    clientIntro: 'shortenedIntro',
    owner: 'ownerShortenedSubject',
    ownerIntro: 'ownerShortenedIntro',
    ownIntro: 'ownShortenedIntro',
  },
  readdressed: {
    client: 'readdressedSubject',
    clientIntro: 'readdressedIntro',
    owner: 'ownerReaddressedSubject',
    ownerIntro: 'ownerReaddressedIntro',
    ownIntro: 'ownReaddressedIntro',
  },
  cancelled: {
    client: 'cancelledSubject',
    clientIntro: 'cancelledIntro',
    owner: 'ownerCancelledSubject',
    ownerIntro: 'ownerCancelledIntro',
    ownIntro: 'ownCancelledIntro',
  },
} as const

const dayAndTime = (instant: string, timeZone: string, locale: Locale): string =>
  translate(locale, 'mails', 'dayAndTime', { day: longDayText(instant, timeZone, locale), time: timeText(instant, timeZone) })

const wordsOf = ({ row, person, removed }: Story, locale: Locale): Record<string, string> => ({
  day: dayText(row.startsAt, row.timeZone, locale),
  time: timeText(row.startsAt, row.timeZone),
  institute: row.instituteName,
  client: `${person.firstName} ${person.lastName}`.trim(),
  service: localised(removed?.service ?? null, locale) ?? '',
})

/** Never a sum that is not known: at least this, or on request. */
function totalText(row: AppointmentRow, segments: readonly SegmentRow[], locale: Locale): string {
  const kind = totalKindOf(segments)
  if (kind === 'on_request') return translate(locale, 'mails', 'onRequest')
  const price = moneyText({ amount: row.totalAmount, currency: row.currency }, locale)
  return kind === 'from' ? translate(locale, 'mails', 'fromPrice', { price }) : price
}

function factsFor({ row, segments }: Story, locale: Locale, reader: 'client' | 'institute'): { label: string; value: string }[] {
  const services = segments
    .map((segment) =>
      translate(locale, 'mails', 'with', { service: localised(segment.snapshot.name, locale) ?? '', member: segment.memberName }),
    )
    .join('\n')
  const total = totalText(row, segments, locale)
  return [
    { label: translate(locale, 'mails', 'when'), value: visitTimeLines(row, locale, reader).join('\n') },
    { label: translate(locale, 'mails', 'what'), value: services },
    {
      label: translate(locale, 'mails', 'total'),
      value: statusOf(row) === 'pending' ? translate(locale, 'mails', 'totalToPay', { total }) : total,
    },
    { label: translate(locale, 'mails', 'reference'), value: row.reference },
  ]
}

const beforeWords = ({ row, before }: Story, locale: Locale): string[] =>
  before
    ? [
        translate(locale, 'mails', 'movedBefore', {
          before: dayAndTime(before, row.timeZone, locale),
        }),
      ]
    : []

const reasonWords = ({ reason }: Story, locale: Locale): string[] =>
  reason ? [translate(locale, 'mails', 'cancelledReason', { reason })] : []

function moneyWords({ row, fact, money, removed }: Story, locale: Locale): string[] {
  const text = (amount: number): string => moneyText({ amount, currency: row.currency }, locale)
  if (removed && removed.refunded > 0) return [translate(locale, 'mails', 'moneyBack', { refunded: text(removed.refunded) })]
  if (!money || fact === 'moved' || fact === 'shortened' || fact === 'readdressed') return []
  const { paid, refunded, atBank, kept, left } = money
  if (fact === 'cancelled')
    return [
      ...(refunded > atBank ? [translate(locale, 'mails', 'moneyBack', { refunded: text(refunded - atBank) })] : []),
      ...(atBank > 0 ? [translate(locale, 'mails', 'moneyAtBank', { amount: text(atBank), name: row.instituteName })] : []),
      ...(kept > 0 ? [translate(locale, 'mails', 'moneyKept', { kept: text(kept) })] : []),
      // Some of it was paid at the counter.
      ...(left > 0 ? [translate(locale, 'mails', 'moneyAtSalon', { left: text(left) })] : []),
    ]
  const due = row.totalAmount - paid
  if (due <= 0) return [translate(locale, 'mails', 'paidInFull', { paid: text(paid) })]
  return [translate(locale, 'mails', 'paidOnline', { paid: text(paid), left: text(due) })]
}

/** What whoever sits at the counter has to settle by hand. */
const owedWords = ({ row, fact, money }: Story, locale: Locale): string[] =>
  fact === 'cancelled' && money && money.left > 0
    ? [translate(locale, 'mails', 'moneyToSettle', { left: moneyText({ amount: money.left, currency: row.currency }, locale) })]
    : []

const sessionWords = ({ sessions }: Story, locale: Locale): string[] =>
  sessions.flatMap(({ name, count, state }) =>
    state === 'used' ? [] : [translate(locale, 'mails', state === 'back' ? 'sessionBack' : 'sessionGone', { package: name, count })],
  )

/** What changing one's mind late, or not coming, costs. */
function feeWords({ fees, currency }: AppointmentRow, locale: Locale): string[] {
  const { late = 0, noShow = 0 } = fees ?? {}
  const text = (amount: number): string => moneyText({ amount, currency }, locale)
  return [
    ...(late > 0 ? [translate(locale, 'mails', 'feeNoteLate', { late: text(late) })] : []),
    ...(noShow > 0 ? [translate(locale, 'mails', 'feeNoteMissed', { noShow: text(noShow) })] : []),
  ]
}

function letterToClient(context: AppContext, story: Story): Posting {
  const { row, segments, person, key, fact, home } = story
  const { locale } = person
  const words = wordsOf(story, locale)
  const facts = factsFor(story, locale, 'client')
  facts.splice(1, 0, {
    label: translate(locale, 'mails', 'where'),
    value: [whereOf(row, locale), ...(home ? [homeText(home)] : [])].join('\n'),
  })
  const terms = row.terms.freeUntil
    ? translate(locale, 'mails', 'freeUntil', {
        until: dayAndTime(row.terms.freeUntil, row.timeZone, locale),
      })
    : translate(locale, 'mails', 'notFree')
  return {
    dedupeKey: `${key}:client`,
    kind: `visit_${fact}`,
    to: person.email,
    userId: person.id,
    appointmentId: row.id,
    instituteId: row.instituteId,
    content: {
      locale,
      name: person.firstName,
      subject: translate(locale, 'mails', titles[fact].client, words),
      paragraphs: [
        translate(locale, 'mails', titles[fact].clientIntro, words),
        ...beforeWords(story, locale),
        ...reasonWords(story, locale),
        ...moneyWords(story, locale),
        ...sessionWords(story, locale),
      ],
      facts,
      action: { label: translate(locale, 'mails', 'viewVisit'), url: context.publicUrl() + sitePath('appointment', { id: row.id }) },
      notes: fact === 'cancelled' ? [] : [[terms, ...feeWords(row, locale)].join(' ')],
    },
    attachments: [
      {
        filename: 'visit.ics',
        contentType: `text/calendar; charset=utf-8; method=${fact === 'cancelled' ? 'CANCEL' : 'PUBLISH'}`,
        content: calendarFile(row, segments, locale, context.publicUrl()),
      },
    ],
  }
}

/** Who goes there reads where; everybody else who may read the institute's mail only the town. */
const homeForInstitute = (home: ToldHome, email: string, locale: Locale): string =>
  home.performers.some((one) => one.email === email) ? homeText(home) : translate(locale, 'mails', 'atClientsHome', { city: home.city })

function letterToInstitute(context: AppContext, story: Story, { email, locale }: NonNullable<Recipients['institute']>): Posting {
  const { row, person, key, fact, byClient, home } = story
  const words = wordsOf(story, locale)
  const facts = factsFor(story, locale, 'institute')
  if (home) facts.splice(1, 0, { label: translate(locale, 'mails', 'where'), value: homeForInstitute(home, email, locale) })
  if (person.phone) facts.push({ label: translate(locale, 'mails', 'phone'), value: person.phone })
  if (row.note) facts.push({ label: translate(locale, 'mails', 'note'), value: row.note })
  return {
    dedupeKey: `${key}:institute`,
    kind: `institute_visit_${fact}`,
    to: email,
    appointmentId: row.id,
    instituteId: row.instituteId,
    content: {
      locale,
      name: row.instituteName,
      subject: translate(locale, 'mails', titles[fact].owner, words),
      paragraphs: [
        translate(locale, 'mails', byClient ? titles[fact].ownerIntro : titles[fact].ownIntro, words),
        ...beforeWords(story, locale),
        ...owedWords(story, locale),
      ],
      facts,
      action: { label: translate(locale, 'mails', 'viewVisit'), url: context.publicUrl() + deskPathOf(row) },
    },
  }
}

/** What whoever goes to a client's home is told, but for `except`, who reads the same in another letter. */
export const performerLetters = (
  context: AppContext,
  { home, fact, ...story }: Pick<Story, 'row' | 'segments' | 'key' | 'fact' | 'home'>,
  client: string,
  except?: string,
): Posting[] =>
  home && fact !== 'cancelled' && fact !== 'shortened' ? lettersToPerformers(context, { ...story, home, fact, client }, except) : []

/** What both sides are told, and who goes to a client's home. */
export function lettersAbout(context: AppContext, story: Story): Posting[] {
  const { institute } = story
  const client = wordsOf(story, story.person.locale)['client'] ?? ''
  return [
    letterToClient(context, story),
    ...(institute ? [letterToInstitute(context, story, institute)] : []),
    ...performerLetters(context, story, client, institute?.email),
  ]
}
