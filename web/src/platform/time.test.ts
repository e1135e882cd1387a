import { describe, expect, it } from 'vitest'
import { moneyText } from './money.ts'
import { addDays, dayOf, daysBetween, dayText, durationText, timeText, weekdayNames, trustZones } from './time.ts'

describe('times', () => {
  it("are written with 24 hours and a colon, in the institute's zone", () => {
    expect(timeText('2026-11-20T08:00:00Z', 'Europe/Paris')).toBe('9:00')
    expect(timeText('2026-11-20T23:05:00Z', 'Europe/Paris')).toBe('0:05')
    expect(timeText('2026-11-20T15:40:00Z', 'Africa/Tunis')).toBe('16:40')
  })

  it('belong to the calendar day of the zone', () => {
    expect(dayOf('2026-11-20T23:05:00Z', 'Europe/Paris')).toBe('2026-11-21')
    expect(dayOf('2026-11-20T23:05:00Z', 'America/New_York')).toBe('2026-11-20')
  })
})

describe('days', () => {
  it('are Today and Tomorrow, then a weekday, then a date', () => {
    const words = (day: string, locale: string) => dayText(day, '2026-11-20', locale)
    expect(['2026-11-20', '2026-11-21', '2026-11-24', '2026-11-28'].map((day) => words(day, 'en'))).toEqual([
      'Today',
      'Tomorrow',
      'Tue',
      'Sat 28 Nov',
    ])
    expect(words('2026-11-20', 'fr')).toBe('Aujourd’hui')
    expect(words('2026-11-20', 'ar')).toBe('اليوم')
    expect(words('2027-01-02', 'en')).toBe('Sat 2 Jan 2027')
  })

  it('are told apart by today, language and style, however often they were said', () => {
    const say = () => [
      dayText('2026-11-24', '2026-11-20', 'en'),
      dayText('2026-11-24', '2026-11-23', 'en'),
      dayText('2026-11-24', '2026-11-20', 'fr'),
      dayText('2026-11-24', '2026-11-20', 'en', 'long'),
      dayText('2026-11-24', '2026-11-20', 'en', 'full'),
    ]
    expect(say()).toEqual(['Tue', 'Tomorrow', 'Mar.', 'Tuesday', 'Tuesday 24 November'])
    expect(say()).toEqual(say())
  })

  it.each(['2026-11-20', '2026-11-21', '2026-11-24', '2026-12-01'])('inside a sentence, %s is a date that French begins small', (day) => {
    const words = (locale: string, style: 'within' | 'date') => dayText(day, '2026-11-20', locale, style)
    expect(words('fr', 'within')).toMatch(/^[a-z]+di \d+(?:er)? (?:novembre|décembre)$/)
    expect(words('fr', 'date')).toMatch(/^[a-z]{3}\. \d+(?:er)? (?:nov|déc)\.$/)
    expect(words('en', 'within')).toBe(dayText(day, '2026-11-20', 'en', 'full'))
    expect(words('ar', 'within')).toBe(dayText(day, '2026-11-20', 'ar', 'full'))
  })

  it('count across the change of clocks', () => {
    expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
    expect(weekdayNames('en')[0]).toBe('Mon')
  })
})

describe('clocks of the server', () => {
  it('win over the browser’s own rules, so that everybody reads the salon’s wall clock', () => {
    // Rules of 2025 had Casablanca an hour ahead; the server knows the law of September 2026.
    trustZones('Africa/Casablanca 60 29830440 0\nEurope/Berlin Europe/Paris 120 29881500 60')
    expect(timeText('2026-11-21T17:00:00Z', 'Africa/Casablanca')).toBe('17:00')
    expect(timeText('2026-08-21T17:00:00Z', 'Africa/Casablanca')).toBe('18:00')
    expect(dayOf('2026-11-21T23:30:00Z', 'Africa/Casablanca')).toBe('2026-11-21')
    expect(dayOf('2026-11-21T23:30:00Z', 'Europe/Paris')).toBe('2026-11-22')
    trustZones('')
    expect(timeText('2026-11-21T17:00:00Z', 'Europe/Paris')).toBe('18:00')
  })
})

describe('durations and money', () => {
  it('speak in minutes [K-02]', () => {
    expect(durationText(40, 'en')).toBe('40 min')
    expect(durationText(60, 'en')).toBe('60 min')
    expect(durationText(80, 'fr').replaceAll(/\s/g, ' ')).toBe('80 min')
    expect(durationText(80, 'ar')).toBe('80 دقيقة')
  })

  it('show decimals only when there are some, by the digits of the currency', () => {
    expect(moneyText({ amount: 2800, currency: 'EUR' }, 'en')).toBe('€28')
    expect(moneyText({ amount: 2850, currency: 'EUR' }, 'en')).toBe('€28.50')
    expect(moneyText({ amount: 2800, currency: 'EUR' }, 'en', true)).toBe('€28.00')
    expect(moneyText({ amount: 45_000, currency: 'TND' }, 'en').replaceAll('\u00a0', ' ')).toBe('TND 45')
    expect(moneyText({ amount: 2800, currency: 'EUR' }, 'ar')).toBe('€28')
    expect(moneyText({ amount: 25_000, currency: 'MAD' }, 'ar')).toContain('د.م.')
    expect(moneyText({ amount: -1500, currency: 'EUR' }, 'en')).toBe('−€15')
  })
})
