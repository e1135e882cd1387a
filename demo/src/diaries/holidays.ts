// Public holidays on which most demo institutes close. Dates and names come from date-holidays (its data CC BY-SA 3.0).
import { createRequire } from 'node:module'
import type { Random } from '#/random.ts'
import { type ClosureRow, closureRow, type LocalizedText } from '#/rows/institute.ts'
import type { Made } from './weeks.ts'

interface PublicHoliday {
  day: string
  name: LocalizedText
}

type HolidayBook = new (country: string) => {
  getHolidays(year: number, language?: string): { date: string; name: string; type: string }[] | undefined
}

const daysBack = 14
const daysAhead = 120
const known = new Map<string, PublicHoliday[]>()

/** Public holidays of a country around a day, named in the three languages as far as they are known. */
export function publicHolidays(country: string, today: Temporal.PlainDate): PublicHoliday[] {
  const key = `${country} ${today.toString()}`
  const before = known.get(key)
  if (before) return before
  // Loaded when a demo is made: the tables of all countries are large.
  const Holidays = createRequire(import.meta.url)('date-holidays') as HolidayBook
  const book = new Holidays(country)
  const from = today.subtract({ days: daysBack }).toString()
  const to = today.add({ days: daysAhead }).toString()
  const found = new Map<string, PublicHoliday>()
  for (const year of new Set([from, to].map((day) => Number(day.slice(0, 4))))) {
    const named = (['en', 'fr', 'ar'] as const).map((language) => ({ language, list: book.getHolidays(year, language) ?? [] }))
    for (const { language, list } of named) {
      for (const { date, name, type } of list) {
        const day = date.slice(0, 10)
        if (type !== 'public' || day < from || day > to) continue
        const holiday = found.get(day) ?? { day, name: { en: name, fr: name, ar: name } }
        found.set(day, { day, name: { ...holiday.name, [language]: name } })
      }
    }
  }
  const holidays = [...found.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
  known.set(key, holidays)
  return holidays
}

/** Closed days for the holidays of the institute's country; today stays open, so that a first visitor finds times. */
export function holidayRows(country: string, today: Temporal.PlainDate, random: Random, made: Made): ClosureRow[] {
  if (!random.chance(0.8)) return []
  return publicHolidays(country, today)
    .filter(({ day }) => day !== today.toString())
    .map(({ day, name }) => closureRow({ id: random.uuid(made.at), instituteId: made.instituteId, fromDay: day, toDay: day, reason: name }))
}
