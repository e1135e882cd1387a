/** Pages and letters are read by one person: their two formatters print the same for many moments and amounts. */
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

interface OnPages {
  timeText(instant: string, zone: string): string
  dayOf(instant: string, zone: string): string
  dayText(day: string, today: string, locale: string, style: 'full'): string
  durationText(minutes: number, locale: string): string
  moneyText(money: { amount: number; currency: string }, locale: string): string
  listText(things: readonly string[], locale: string): string
}
interface InLetters {
  timeText(instant: string, zone: string): string
  longDayText(instant: string, zone: string, locale: string): string
  durationText(minutes: number, locale: string): string
  moneyText(money: { amount: number; currency: string }, locale: string): string
  listText(things: readonly string[], locale: string): string
}

const root = resolve(import.meta.dirname, '..')
/** The rooms do not know each other, and this room knows neither by its types. */
const load = async (...paths: string[]): Promise<object> =>
  Object.assign({}, ...(await Promise.all(paths.map((path) => import(join(root, path)) as Promise<object>)))) as object
const pages = (await load('web/src/platform/time.ts', 'web/src/platform/money.ts', 'web/src/platform/lists.ts')) as OnPages
const letters = (await load('server/src/texts/formats.ts')) as InLetters

const languages = ['en', 'fr', 'ar']
const zones = ['Europe/Paris', 'Africa/Casablanca', 'America/New_York', 'Asia/Riyadh', 'Pacific/Chatham']
/** Sixty moments over two years, first days of months and both changes of the clocks among them. */
const instants = [
  ...Array.from({ length: 52 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n * 13, (n * 7) % 24, (n * 35) % 60)).toISOString()),
  '2026-03-29T00:30:00.000Z',
  '2026-03-29T01:30:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2026-11-30T23:59:00.000Z',
  '2026-12-01T00:00:00.000Z',
  '2027-01-01T00:05:00.000Z',
  '2028-02-29T12:00:00.000Z',
]
const currencies = ['EUR', 'MAD', 'TND', 'DZD', 'AED', 'SAR', 'QAR', 'KWD', 'USD', 'GBP', 'CHF', 'JPY']
const amounts = [0, 5, 100, 2800, 2850, 123_450, 35_500, 1_000_000, -1500]

/** Labels begin with a capital on pages; letters put the same day inside a sentence. */
const inside = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

describe.each(languages)('in %s', (language) => {
  it('a time and a day are the same on a page and in a letter', () => {
    expect(instants).toHaveLength(60)
    for (const zone of zones)
      for (const instant of instants) {
        expect(pages.timeText(instant, zone)).toBe(letters.timeText(instant, zone))
        const day = pages.dayText(pages.dayOf(instant, zone), '2020-01-01', language, 'full')
        expect(inside(day), `${instant} ${zone}`).toBe(inside(letters.longDayText(instant, zone, language)))
      }
  })

  it('an amount is', () => {
    for (const currency of currencies)
      for (const amount of amounts)
        expect(pages.moneyText({ amount, currency }, language), `${amount} ${currency}`).toBe(
          letters.moneyText({ amount, currency }, language),
        )
  })

  it('a length and a list are', () => {
    for (const minutes of [1, 2, 5, 20, 40, 80, 100, 240])
      expect(pages.durationText(minutes, language)).toBe(letters.durationText(minutes, language))
    for (const things of [['A'], ['A', 'B'], ['A', 'B', 'C', 'D']])
      expect(pages.listText(things, language)).toBe(letters.listText(things, language))
  })
})
