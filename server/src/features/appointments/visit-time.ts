/** When a visit is, in words; at a change of the clocks the times alone would mislead. */
import type { Locale } from '@soigne/contract/wire'
import type { AppointmentRow } from '#/features/visits/service.ts'
import { translate } from '#/texts/translate.ts'
import { durationText, longDayText, timeText } from '#/texts/formats.ts'

type Times = Pick<AppointmentRow, 'startsAt' | 'endsAt' | 'timeZone'>

const wallOf = (instant: string, zone: string): Temporal.ZonedDateTime => Temporal.Instant.from(instant).toZonedDateTimeISO(zone)

/** Its wall clock time comes twice that day. */
function comesTwice(start: Temporal.ZonedDateTime): boolean {
  const on = (disambiguation: 'earlier' | 'later'): Temporal.ZonedDateTime =>
    start.toPlainDateTime().toZonedDateTime(start.timeZoneId, { disambiguation })
  return on('earlier').offsetNanoseconds > on('later').offsetNanoseconds
}

/** `Tuesday 24 November 2026, 10:00–10:40`; a second line where the clocks change, for the institute also in the hour that comes twice. */
export function visitTimeLines({ startsAt, endsAt, timeZone }: Times, locale: Locale, reader: 'client' | 'institute'): string[] {
  const [start, end] = [wallOf(startsAt, timeZone), wallOf(endsAt, timeZone)]
  const values = { day: longDayText(startsAt, timeZone, locale), from: timeText(startsAt, timeZone), to: timeText(endsAt, timeZone) }
  const isOver = !start.toPlainDate().equals(end.toPlainDate())
  const lines = [translate(locale, 'mails', isOver ? 'visitOverMidnight' : 'visitTime', values)]
  const length = start.until(end, { largestUnit: 'minutes' }).minutes
  if (start.offsetNanoseconds !== end.offsetNanoseconds)
    lines.push(translate(locale, 'mails', 'clocksChange', { duration: durationText(length, locale) }))
  if (reader === 'institute' && comesTwice(start))
    lines.push(translate(locale, 'mails', 'repeatedHour', { time: timeText(startsAt, 'UTC') }))
  return lines
}
