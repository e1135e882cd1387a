// Times as only My Salon writes and reckons them; what every page needs stands in time.ts.
import { dayMs, type InstantText, minuteMs, minutesOfDay } from '@soigne/contract/time'
import { capitalised, dateOnly, dayOf, instantText, timeText } from './time.ts'

/** 9:00 of the minutes since midnight. */
export const clock = (minutes: number): string => `${Math.floor(minutes / 60) % 24}:${String(minutes % 60).padStart(2, '0')}`

/** Minutes since midnight on the zone's wall clock. */
export function wallMinutes(instant: string, zone: string): number {
  const [hours = 0, minutes = 0] = timeText(instant, zone).split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * The instant at which the zone's wall clock shows so many minutes after the midnight that begins a day; more than a day is the
 * next one. Of a repeated hour it is the first, in a missing one what the clock would have shown without the change.
 */
export function instantAt(day: string, minutes: number, zone: string): InstantText {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * minuteMs
  const shown = (instant: number) => Date.parse(`${dayOf(instant, zone)}T00:00:00Z`) + wallMinutes(instantText(instant), zone) * minuteMs
  const offset = (instant: number) => shown(instant) - Math.floor(instant / minuteMs) * minuteMs
  const [before, after] = [wall - offset(wall - dayMs), wall - offset(wall + dayMs)]
  return instantText(shown(before) !== wall && shown(after) === wall ? after : before)
}

/** A date in the parts asked for: Thu 20 Nov, 20, Nov. */
export function dateText(day: string, locale: string, parts: Pick<Intl.DateTimeFormatOptions, 'weekday' | 'day' | 'month'>): string {
  return capitalised(dateOnly(day, locale === 'en' ? 'en-GB' : locale, parts), locale)
}

/** Thu 20 Nov, inside a sentence; with its year where that is another. */
export function plannedDayText(day: string, locale: string): string {
  const parts: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
  if (day.slice(0, 4) !== dayOf(Date.now(), 'UTC').slice(0, 4)) parts.year = 'numeric'
  return dateOnly(day, locale === 'en' ? 'en-GB' : locale, parts)
}

/** Europe/Paris; in Arabic, which has no Latin words, "France Time". */
export function zoneText(timeZone: string, locale: string): string {
  const parts =
    locale === 'ar' && timeZone !== '' ? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortGeneric' }).formatToParts(0) : []
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone.replaceAll('_', ' ')
}

/** 2 June: a day that comes every year. */
export const yearlyDayText = (day: string, locale: string): string => dateOnly(day, locale, { month: 'long', day: 'numeric' })

/** The first letter of a month. */
export const monthLetter = (day: string, locale: string): string => dateOnly(day, locale, { month: 'narrow' })

/** 20 min, 2 hr, 3 days: a length as rules have it, in the largest unit that fits. */
export function lengthText(minutes: number, locale: string): string {
  const hour = 60
  const unit = minutes >= 2 * minutesOfDay && minutes % minutesOfDay === 0 ? 'day' : minutes > 0 && minutes % hour === 0 ? 'hour' : 'minute'
  const size = { day: minutesOfDay, hour, minute: 1 }[unit]
  const unitDisplay = locale === 'ar' ? 'long' : 'short'
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'unit', unit, unitDisplay }).format(minutes / size)
}
