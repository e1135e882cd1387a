import type { Locale } from '@soigne/contract/wire'
import { expect, it } from 'vitest'
import { dayText, durationText, listText, longDayText, moneyText, timeText } from './formats.ts'

/** Spaces of other widths and marks of direction are Intl's own. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u200e\u200f]/g, '')

it.each<[Locale, string, string, string]>([
  ['en', '2026-11-20T11:00:00Z', 'Fri 20 Nov', 'Friday 20 November 2026'],
  ['fr', '2026-11-20T11:00:00Z', 'ven. 20 nov.', 'vendredi 20 novembre 2026'],
  ['ar', '2026-11-20T11:00:00Z', 'الجمعة 20 نوفمبر', 'الجمعة 20 نوفمبر 2026'],
  ['fr', '2026-12-01T11:00:00Z', 'mar. 1er déc.', 'mardi 1er décembre 2026'],
  ['en', '2026-12-01T11:00:00Z', 'Tue 1 Dec', 'Tuesday 1 December 2026'],
  ['fr', '2026-12-21T11:00:00Z', 'lun. 21 déc.', 'lundi 21 décembre 2026'],
  // A day of the institute's clock: it is the next one in Auckland.
  ['en', '2026-12-31T22:00:00Z', 'Thu 31 Dec', 'Thursday 31 December 2026'],
])('a day in %s, %s', (locale, instant, short, long) => {
  expect(plain(dayText(instant, 'Europe/London', locale))).toBe(short)
  expect(plain(longDayText(instant, 'Europe/London', locale))).toBe(long)
})

it('a day is that of the institute', () => {
  expect(dayText('2026-12-31T22:00:00Z', 'Pacific/Auckland', 'en')).toBe('Fri 1 Jan')
})

it.each([
  ['2026-11-20T08:05:00Z', 'Europe/Paris', '9:05'],
  ['2026-11-20T23:00:00Z', 'Europe/Paris', '0:00'],
  ['2026-11-20T16:40:00Z', 'Africa/Casablanca', '16:40'],
])('the time of %s in %s is %s in every language', (instant, zone, words) => {
  expect(timeText(instant, zone)).toBe(words)
})

it.each<[Locale, number, string, string]>([
  ['en', 2800, 'EUR', '€28'],
  ['en', 2850, 'EUR', '€28.50'],
  ['en', 123_450, 'EUR', '€1,234.50'],
  ['en', 25_000, 'MAD', 'MAD 250'],
  ['en', -1500, 'EUR', '−€15'],
  ['fr', 2800, 'EUR', '28 €'],
  ['fr', 123_450, 'EUR', '1 234,50 €'],
  ['fr', 35_500, 'TND', '35,500 TND'],
  ['fr', -1500, 'EUR', '−15 €'],
  ['ar', 2800, 'EUR', '€28'],
  ['ar', 25_000, 'MAD', '250 د.م.'],
  ['ar', 35_500, 'TND', '35.500 د.ت.'],
  ['en', 1200, 'JPY', '¥1,200'],
])('money in %s: %i of %s is %s', (locale, amount, currency, words) => {
  expect(plain(moneyText({ amount, currency }, locale))).toBe(words)
})

it.each<[Locale, string, string]>([
  ['en', '80 min', 'Cut, Colour and Gloss'],
  ['fr', '80 min', 'Cut, Colour et Gloss'],
  ['ar', '80 دقيقة', 'Cut وColour وGloss'],
])('a length and a list in %s', (locale, length, list) => {
  expect(plain(durationText(80, locale))).toBe(length)
  expect(listText(['Cut', 'Colour', 'Gloss'], locale)).toBe(list)
})
