/** The sections of an export as sheets for spreadsheets: words in the language of whoever asked, times on the institute's clock. */
import type { Locale } from '@soigne/contract/wire'
import { writeCsvRows } from '#/features/customers/service.ts'
import { localised, type SentenceKey, translate } from '#/texts/translate.ts'
import type { RowsOf, SectionName } from './rows.ts'

export interface SheetWords {
  locale: Locale
  timeZone: string
}
type Column = SentenceKey<'exportFile'>
interface Sheet<Name extends SectionName> {
  file: string
  section: Name
  columns: readonly Column[]
  /** A row of the section may be several of the sheet, or none. */
  cells(row: RowsOf[Name], words: SheetWords): string[][]
}
const sheet = <Name extends SectionName>(made: Sheet<Name>): Sheet<Name> => made

const day = (instant: string, timeZone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()
const time = (instant: string, timeZone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainTime().toString({ smallestUnit: 'minute' })
/** Minutes after midnight; of the day after where they are more than a day has. */
const clock = (minutes: number | null): string =>
  minutes === null ? '' : `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
/** A Monday. */
const someMonday = Temporal.PlainDate.from('2024-01-01')
const weekdayName = (weekday: number, locale: Locale): string =>
  someMonday.add({ days: weekday - 1 }).toLocaleString(locale, { weekday: 'long' })

/** In units of the currency with a point, which spreadsheets take for a number where they are set so. */
function amount(minor: number | null, currency: string): string {
  if (minor === null) return ''
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return (minor / 10 ** digits).toFixed(digits)
}
const yes = (is: boolean): string => (is ? '1' : '')

const visitCells = (row: RowsOf['visits'], { locale, timeZone }: SheetWords): string[][] =>
  (row.segments ?? []).map((segment) => [
    row.reference,
    day(segment.startsAt, timeZone),
    time(segment.startsAt, timeZone),
    time(segment.endsAt, timeZone),
    row.client ?? '',
    row.phone ?? '',
    localised(segment.service, locale) ?? '',
    segment.member,
    segment.resource ?? '',
    amount(segment.priceAmount, row.currency),
    row.currency,
    translate(locale, 'exportFile', row.state),
    translate(locale, 'exportFile', row.attendance),
    translate(locale, 'exportFile', `by_${row.madeBy}`),
    row.note ?? '',
    row.ownNote ?? '',
  ])

/** Those of an export without what is kept of health. */
export const sheets = [
  sheet({
    file: 'visits.csv',
    section: 'visits',
    columns: [
      'reference',
      'day',
      'from',
      'until',
      'client',
      'phone',
      'service',
      'member',
      'resource',
      'price',
      'currency',
      'state',
      'attendance',
      'bookedBy',
      'note',
      'ownNote',
    ],
    cells: visitCells,
  }),
  sheet({
    file: 'clients.csv',
    section: 'customers',
    columns: ['firstName', 'lastName', 'phone', 'email', 'birthday', 'language', 'tags', 'alert', 'notes', 'blocked'],
    cells: (row) =>
      row.mergedInto === null
        ? [
            [
              row.firstName,
              row.lastName,
              row.phone ?? '',
              row.email ?? '',
              row.birthday ?? '',
              row.locale ?? '',
              row.tags.join(', '),
              row.alert ?? '',
              row.notes ?? '',
              yes(row.blockedAt !== null),
            ],
          ]
        : [],
  }),
  sheet({
    file: 'services.csv',
    section: 'services',
    columns: ['service', 'category', 'group', 'minutes', 'price', 'currency', 'archived'],
    cells: (row, { locale }) => [
      [
        localised(row.name, locale) ?? '',
        row.category,
        (row.group && localised(row.group, locale)) ?? '',
        String(row.activeMinutes + row.idleMinutes + row.activeAfterMinutes),
        amount(row.priceAmount, row.currency),
        row.currency,
        yes(row.archivedAt !== null),
      ],
    ],
  }),
  sheet({
    file: 'team.csv',
    section: 'team',
    columns: ['member', 'title', 'languages', 'services', 'worksHere', 'lastDay'],
    cells: (row, { locale }) => [
      [
        row.name,
        localised(row.title, locale) ?? '',
        row.languages.join(', '),
        (row.services ?? []).map(({ name }) => localised(name, locale) ?? '').join(', '),
        yes(row.active),
        row.lastDay ?? '',
      ],
    ],
  }),
  sheet({
    file: 'shifts.csv',
    section: 'shifts',
    columns: ['member', 'week', 'weekday', 'from', 'until', 'breaks', 'validFrom', 'validUntil'],
    cells: (row, { locale }) => [
      [
        row.member,
        String(row.week),
        weekdayName(row.weekday, locale),
        clock(row.opensAt),
        clock(row.closesAt),
        row.breaks.map(({ opensAt, closesAt }) => `${clock(opensAt)}–${clock(closesAt)}`).join(', '),
        row.validFrom ?? '',
        row.validTo ?? '',
      ],
    ],
  }),
  sheet({
    file: 'opening-hours.csv',
    section: 'openingHours',
    columns: ['weekday', 'from', 'until'],
    cells: ({ weekday, opensAt, closesAt }, { locale }) => [[weekdayName(weekday, locale), clock(opensAt), clock(closesAt)]],
  }),
  sheet({
    file: 'closures.csv',
    section: 'closures',
    columns: ['firstDay', 'lastDay', 'from', 'until', 'reason'],
    cells: (row, { locale }) => [
      [row.fromDay, row.toDay, clock(row.opensAt), clock(row.closesAt), (row.reason && localised(row.reason, locale)) ?? ''],
    ],
  }),
  sheet({
    file: 'resources.csv',
    section: 'resources',
    columns: ['resource', 'kind', 'note', 'inUse'],
    cells: (row) => [[row.name, row.type, row.note ?? '', yes(row.active)]],
  }),
  sheet({
    file: 'reviews.csv',
    section: 'reviews',
    columns: ['day', 'client', 'welcoming', 'hygiene', 'atmosphere', 'serviceQuality', 'text', 'reply'],
    cells: (row, { timeZone }) => [
      [
        day(row.createdAt, timeZone),
        row.author ?? '',
        ...[row.welcoming, row.hygiene, row.atmosphere, row.serviceQuality].map(String),
        row.text ?? '',
        row.reply ?? '',
      ],
    ],
  }),
  sheet({
    file: 'invoices.csv',
    section: 'documents',
    columns: ['number', 'day', 'client', 'service', 'member', 'quantity', 'price', 'vat', 'currency'],
    cells: (row, { locale }) =>
      row.lines.map((line) => [
        row.number,
        row.day,
        row.client ?? '',
        typeof line.name === 'string' ? line.name : (localised(line.name, locale) ?? ''),
        line.member ?? '',
        String(line.quantity),
        amount(line.amount, row.currency),
        amount(line.vat, row.currency),
        row.currency,
      ]),
  }),
  sheet({
    file: 'messages.csv',
    section: 'messages',
    columns: ['day', 'from', 'client', 'writtenBy', 'text', 'file'],
    cells: (row, { locale, timeZone }) => [
      [
        day(row.sentAt, timeZone),
        time(row.sentAt, timeZone),
        row.client,
        translate(locale, 'exportFile', `by_${row.from}`),
        row.text ?? '',
        row.file ?? '',
      ],
    ],
  }),
] as const
/** Only for who may read it and asked for it. */
export const healthSheet = sheet({
  file: 'health.csv',
  section: 'health',
  columns: ['client', 'allergies', 'formulas'],
  cells: (row) => [[row.client, row.allergies, row.formulas]],
})
export type AnySheet = (typeof sheets)[number] | typeof healthSheet

/** A sheet as CSV, some rows at a time. */
export async function* sheetText<Name extends SectionName>(
  { columns, cells }: Sheet<Name>,
  pages: AsyncIterable<readonly RowsOf[Name][]>,
  words: SheetWords,
): AsyncGenerator<string> {
  // The mark tells a spreadsheet of Windows that this is UTF-8.
  yield `\ufeff${writeCsvRows([columns.map((column) => translate(words.locale, 'exportFile', column))])}`
  for await (const rows of pages) yield writeCsvRows(rows.flatMap((row) => cells(row, words)))
}
