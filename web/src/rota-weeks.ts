// Weeks that repeat, as they fall on dates: which of them a day is in, and the days ahead.
import { weekdays } from './contract/closed-lists.ts'
import { addDays, daysBetween } from './platform/time.ts'
import { mondayOf } from './ui/calendar-days.ts'

/** Names of the weeks of a rota, in the letters of the language. */
export const weekLetters = (locale: string): readonly string[] => (locale === 'ar' ? ['أ', 'ب', 'ج', 'د'] : ['A', 'B', 'C', 'D'])

/** Which of the weeks a day falls in, from 0: they repeat without end, across the ends of years too. */
export function weekOf(anchorDay: string, weeks: number, day: string): number {
  const passed = Math.floor(daysBetween(mondayOf(anchorDay), day) / 7)
  return ((passed % weeks) + weeks) % weeks
}

export type DayAhead<Shift> = { day: string; week: number; shifts: readonly Shift[] }
type Weeks<Shift> = readonly Readonly<Record<(typeof weekdays)[number], readonly Shift[]>>[]

/** The days of so many weeks from a Monday on, as these weeks fall. */
export function daysAhead<Shift>(rota: { anchorDay: string; weeks: Weeks<Shift> }, from: string, weeks: number): DayAhead<Shift>[] {
  return Array.from({ length: weeks * 7 }, (_, at) => {
    const day = addDays(mondayOf(from), at)
    const week = weekOf(rota.anchorDay, rota.weeks.length, day)
    const weekday = weekdays[at % 7]
    return { day, week, shifts: (weekday && rota.weeks[week]?.[weekday]) ?? [] }
  })
}
