/** A visit as an iCalendar file: instants in UTC, one UID for the life of the visit, a sequence number for each change. */
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { listText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import { addressOf, type AppointmentRow, type SegmentRow } from '#/features/visits/service.ts'

export function calendarFile(row: AppointmentRow, segments: SegmentRow[], locale: Locale, publicUrl: string): string {
  const cancelled = row.life === 'cancelled'
  const calendar = ical({
    name: 'Soigné',
    prodId: { company: 'Soigné', product: 'Visits', language: locale.toUpperCase() },
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  })
  const services = listText(
    segments.map((segment) => localised(segment.snapshot.name, locale) ?? ''),
    locale,
  )
  const url = publicUrl + sitePath('appointment', { id: row.id })
  calendar.createEvent({
    id: `${row.id}@soigne`,
    sequence: row.movedCount + (cancelled ? 1 : 0),
    start: new Date(row.startsAt),
    end: new Date(row.endsAt),
    stamp: new Date(row.cancelledAt ?? row.createdAt),
    summary: translate(locale, 'calendar', 'summary', { services, institute: row.instituteName }),
    description: translate(locale, 'calendar', 'description', { reference: row.reference, url }),
    location: { title: row.instituteName, address: addressOf(row), geo: { lat: row.lat, lon: row.lon } },
    url,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })
  return calendar.toString()
}
