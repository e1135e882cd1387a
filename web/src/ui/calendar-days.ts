// Arithmetic on calendar dates written as 2025-11-20, without a clock or a zone.
import { dayMs } from '@soigne/contract/time'

function toUtc(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

function fromUtc(date: Date): string {
  return date.toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return fromUtc(new Date(toUtc(day).getTime() + count * dayMs))
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return toUtc(day).getUTCDay() || 7
}

/** Monday of the week that a day is in. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day))
}

/** "2025-11" of a day. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function addMonths(month: string, count: number): string {
  const date = toUtc(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return monthOf(fromUtc(date))
}

export function daysInMonth(month: string): number {
  return Number(addDays(`${addMonths(month, 1)}-01`, -1).slice(8))
}

/** The same date of another month, or its last day when that month is shorter. */
export function moveByMonths(day: string, count: number): string {
  const month = addMonths(monthOf(day), count)
  const date = Math.min(Number(day.slice(8)), daysInMonth(month))
  return `${month}-${String(date).padStart(2, '0')}`
}

/** How far a day stands from the start of its week. */
export function placeInWeek(day: string, firstWeekday: number): number {
  return (weekdayOf(day) - firstWeekday + 7) % 7
}

/** Weeks of seven places; a place outside of the month is undefined. */
export function weeksOf(month: string, firstWeekday: number): (string | undefined)[][] {
  const first = `${month}-01`
  const offset = placeInWeek(first, firstWeekday)
  const count = daysInMonth(month)
  return Array.from({ length: Math.ceil((offset + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_place, place) => {
      const index = week * 7 + place - offset
      return index >= 0 && index < count ? addDays(first, index) : undefined
    }),
  )
}

const startsOnSunday = /^(en-(US|CA|AU|IN|ZA)|he|hi|ja|ko|pt-BR|zh)\b/
const startsOnSaturday = /^ar(-(DZ|BH|EG|IQ|JO|KW|LY|OM|QA|SD|SY|AE|YE))\b/

/** The first day of the week of a locale: what the platform knows, else a short table; Monday by default. */
export function firstWeekdayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  if (known.region && known.getWeekInfo) return known.getWeekInfo().firstDay
  if (startsOnSaturday.test(locale)) return 6
  return startsOnSunday.test(locale) ? 7 : 1
}
