/** Calendar days as whole numbers (days since 1970-01-01, proleptic Gregorian), so that the engine never compares objects. */
import type { Day, Weekday } from './model.ts'

/** Minutes of a day on which no clock changes. */
export const MINUTES_OF_DAY = 1440

/** Days since 1970-01-01 of a civil date (source: the era arithmetic of the Gregorian calendar, 400 years = 146,097 days). */
function civilDays(year: number, month: number, date: number): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Year, month 1…12 and date of a `YYYY-MM-DD`. */
export function dateParts(day: Day): { year: number; month: number; date: number } {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), date: Number(day.slice(8, 10)) }
}

/** Days since 1970-01-01 of a `YYYY-MM-DD`; NaN for anything else. */
export function dayNumber(day: Day): number {
  const { year, month, date } = dateParts(day)
  return civilDays(year, month, date)
}

/** The `YYYY-MM-DD` of a day number, years 0000 to 9999. */
export function dayOfNumber(number: number): Day {
  const shifted = number + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const date = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** ISO weekday of a day number: day 0 was a Thursday. */
export function weekdayOfNumber(number: number): Weekday {
  return (((((number + 3) % 7) + 7) % 7) + 1) as Weekday
}

/** The day `days` later (or earlier when negative). */
export function addDays(day: Day, days: number): Day {
  return dayOfNumber(dayNumber(day) + days)
}

/** The same date `months` later, or the last day of that month where it has no such date. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = dateParts(day)
  const index = year * 12 + (month - 1) + months
  const toYear = Math.floor(index / 12)
  const toMonth = index - toYear * 12 + 1
  const nextIndex = index + 1
  const firstOfNext = civilDays(Math.floor(nextIndex / 12), (nextIndex % 12) + 1, 1)
  const first = civilDays(toYear, toMonth, 1)
  return dayOfNumber(Math.min(first + date - 1, firstOfNext - 1))
}
