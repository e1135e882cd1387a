/** Visits as iCalendar: instants in UTC, one UID for the life of a visit, a sequence number for each change. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import ical, { type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { listText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import { addressOf, isAtHome } from './present.ts'
import type { AppointmentRow, SegmentRow } from './visit-store.ts'

/** What a calendar says of a visit. */
export function wordsOfVisit(row: AppointmentRow, segments: readonly SegmentRow[], locale: Locale, publicUrl: string) {
  const services = listText(
    segments.map((segment) => localised(segment.snapshot.name, locale) ?? ''),
    locale,
  )
  const url = publicUrl + sitePath('appointment', { id: row.id })
  return {
    summary: translate(locale, 'calendar', 'summary', { services, institute: row.instituteName }),
    description: translate(locale, 'calendar', 'description', { reference: row.reference, url }),
    // No calendar tells where somebody lives.
    location: isAtHome(row) ? translate(locale, 'calendar', 'atHome') : `${row.instituteName}, ${addressOf(row)}`,
    url,
  }
}

export interface VisitWithSegments {
  row: AppointmentRow
  segments: readonly SegmentRow[]
}

/** Higher after every change, an undo too: a calendar keeps what it has when the number does not rise. Visits older than revisions count their moves. */
const sequenceOf = ({ revision, movedCount, life }: AppointmentRow): number =>
  Math.max(revision, movedCount + (life === 'cancelled' ? 1 : 0))

function addVisit(calendar: ICalCalendar, { row, segments }: VisitWithSegments, locale: Locale, publicUrl: string): void {
  const cancelled = row.life === 'cancelled'
  const { summary, description, location, url } = wordsOfVisit(row, segments, locale, publicUrl)
  calendar.createEvent({
    id: `${row.id}@soigne`,
    sequence: sequenceOf(row),
    start: new Date(row.startsAt),
    end: new Date(row.endsAt),
    stamp: new Date(row.cancelledAt ?? row.createdAt),
    summary,
    description,
    location: isAtHome(row) ? location : { title: row.instituteName, address: addressOf(row), geo: { lat: row.lat, lon: row.lon } },
    url,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })
}

/** `saved`: a file of one visit, which calendars take in. `subscribed`: what they read again and again. */
export function calendarOfVisits(
  visits: readonly VisitWithSegments[],
  locale: Locale,
  publicUrl: string,
  use: 'saved' | 'subscribed',
): string {
  const isCancellation = use === 'saved' && visits.every(({ row }) => row.life === 'cancelled')
  const calendar = ical({
    name: 'Soigné',
    prodId: { company: 'Soigné', product: 'Visits', language: locale.toUpperCase() },
    method: isCancellation ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    // How often those who subscribe look again.
    ...(use === 'subscribed' && { ttl: 3600 }),
  })
  for (const visit of visits) addVisit(calendar, visit, locale, publicUrl)
  return calendar.toString()
}
