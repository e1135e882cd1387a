/** Public holidays of a country and, where the postcode tells it, of a region. Dates and names come from date-holidays (its data CC BY-SA 3.0). */
import { createRequire } from 'node:module'
import { locales } from '@soigne/contract/wire'
import { LRUCache } from 'lru-cache'
import type { LocalizedText } from './store.ts'

export interface PublicHoliday {
  day: string
  name: LocalizedText
}

interface Book {
  getHolidays(year: number, language?: string): { date: string; name: string; type: string }[] | undefined
}
type HolidayBook = new (country: string, region?: string) => Book

/** Where French departments keep other days than the rest of the country. */
const regionsOfFrance: Readonly<Record<string, string>> = {
  '57': '57',
  '67': '67',
  '68': '68',
  '971': 'GP',
  '972': 'MQ',
  '973': 'GF',
  '974': 'RE',
  '976': 'YT',
}

/** The region whose own holidays hold at a postcode; null where the country's do. */
export function holidayRegion(countryCode: string, postalCode: string | null): string | null {
  if (countryCode !== 'FR' || postalCode === null) return null
  const digits = postalCode.replaceAll(/\s/g, '')
  return regionsOfFrance[digits.slice(0, 3)] ?? regionsOfFrance[digits.slice(0, 2)] ?? null
}

const known = new LRUCache<string, PublicHoliday[]>({ max: 200 })
let books: HolidayBook | null = null

function readYear(country: string, region: string | null, year: number): PublicHoliday[] {
  // Loaded when somebody first asks: the tables of all countries are large.
  books ??= createRequire(import.meta.url)('date-holidays') as HolidayBook
  const book = region === null ? new books(country) : new books(country, region)
  const found = new Map<string, PublicHoliday>()
  for (const language of locales) {
    for (const { date, name, type } of book.getHolidays(year, language) ?? []) {
      if (type !== 'public') continue
      const day = date.slice(0, 10)
      const holiday = found.get(day)
      found.set(day, { day, name: { ...holiday?.name, [language]: holiday?.name[language] ?? name } })
    }
  }
  return [...found.values()]
}

/** The holidays between two days, both included, in order; none where nothing is known of the country. */
export function publicHolidays(
  { countryCode, postalCode }: { countryCode: string; postalCode: string | null },
  fromDay: string,
  toDay: string,
): PublicHoliday[] {
  const region = holidayRegion(countryCode, postalCode)
  const years = [...new Set([fromDay, toDay].map((day) => Number(day.slice(0, 4))))]
  const all = years.flatMap((year) => {
    const key = `${countryCode} ${region ?? ''} ${year}`
    const kept = known.get(key) ?? readYear(countryCode, region, year)
    known.set(key, kept)
    return kept
  })
  return all.filter(({ day }) => fromDay <= day && day <= toDay).toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
