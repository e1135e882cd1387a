/** All visits of an institute as one calendar, for whoever takes it into another. */
import type { Locale } from '@soigne/contract/wire'
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { listText } from '#/texts/formats.ts'
import { localised } from '#/texts/translate.ts'
import type { RowsOf, VisitRow } from './rows.ts'

const begin = 'BEGIN:VEVENT'
const end = 'END:VCALENDAR'

export interface CalendarWords {
  locale: Locale
  institute: RowsOf['institute']
}

function calendarOf(rows: readonly VisitRow[], { locale, institute }: CalendarWords): string {
  const calendar = ical({
    name: institute.name,
    prodId: { company: 'Soigné', product: 'Export', language: locale.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
  })
  for (const row of rows) {
    const segments = row.segments ?? []
    const services = listText(
      segments.map(({ service }) => localised(service, locale) ?? ''),
      locale,
    )
    const isCancelled = row.state === 'cancelled'
    calendar.createEvent({
      id: `${row.id}@soigne`,
      sequence: row.movedCount + (isCancelled ? 1 : 0),
      start: new Date(row.startsAt),
      end: new Date(row.endsAt),
      stamp: new Date(row.cancelledAt ?? row.bookedAt),
      summary: row.client ? `${row.client} · ${services}` : services,
      description: [row.reference, [...new Set(segments.map(({ member }) => member))].join(', '), row.note ?? '']
        .filter(Boolean)
        .join('\n'),
      location: `${institute.addressLine}, ${institute.city}`,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  }
  return calendar.toString()
}

/** One calendar over all pages: what is around the events of the first one is around them all. */
export async function* calendarText(pages: AsyncIterable<readonly VisitRow[]>, words: CalendarWords): AsyncGenerator<string> {
  const empty = calendarOf([], words)
  yield empty.slice(0, empty.indexOf(end))
  for await (const rows of pages) {
    if (rows.length === 0) continue
    const text = calendarOf(rows, words)
    yield text.slice(text.indexOf(begin), text.indexOf(end))
  }
  yield `${end}\r\n`
}
