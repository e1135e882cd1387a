import { type Locale, locales } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { visitTimeLines } from './visit-time.ts'

const plain = (lines: string[]): string =>
  lines
    .join(' | ')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/[\u2068\u2069]/g, '')
const inParis = (startsAt: string, minutes: number) => ({
  startsAt,
  endsAt: new Date(Date.parse(startsAt) + minutes * 60_000).toISOString(),
  timeZone: 'Europe/Paris',
})
const said = (startsAt: string, minutes: number, locale: Locale = 'en', reader: 'client' | 'institute' = 'client'): string =>
  plain(visitTimeLines(inParis(startsAt, minutes), locale, reader))

describe('when a visit is, in words', () => {
  it('is a day and two times', () => {
    expect(said('2026-11-24T09:00:00Z', 40)).toBe('Tuesday 24 November 2026, 10:00–10:40')
  })

  it.each([
    ['en', 'Friday 20 November 2026, 23:30 to 1:10 the next day'],
    ['fr', 'vendredi 20 novembre 2026, de 23:30 à 1:10 le lendemain'],
    ['ar', 'الجمعة 20 نوفمبر 2026، من 23:30 إلى 1:10 في اليوم التالي'],
  ] as const)('over midnight says so (%s)', (locale, words) => {
    expect(said('2026-11-20T22:30:00Z', 100, locale)).toBe(words)
  })

  it.each([
    ['en', 'Sunday 25 October 2026, 2:40–2:10 | The clocks change during the visit; it lasts 30 min in all.'],
    ['fr', 'dimanche 25 octobre 2026, 2:40–2:10 | Changement d’heure pendant le rendez-vous ; durée réelle : 30 min.'],
    ['ar', 'الأحد 25 أكتوبر 2026، 2:40–2:10 | يتغيّر التوقيت خلال الموعد؛ المدة الفعلية: 30 دقيقة.'],
  ] as const)('where the clocks go back it says how long it is (%s)', (locale, words) => {
    expect(said('2026-10-25T00:40:00Z', 30, locale)).toBe(words)
  })

  it('where the clocks go forward too', () => {
    expect(said('2026-03-29T00:30:00Z', 60)).toBe(
      'Sunday 29 March 2026, 1:30–3:30 | The clocks change during the visit; it lasts 60 min in all.',
    )
  })

  it('the hour that comes twice is told apart for the institute alone', () => {
    const [first, second] = ['2026-10-25T00:05:00Z', '2026-10-25T01:05:00Z'].map((at) => said(at, 30, 'en', 'institute'))
    expect(first).toContain('2:05–2:35 | This hour comes twice that night. The visit begins at 0:05 UTC.')
    expect(second).toContain('2:05–2:35 | This hour comes twice that night. The visit begins at 1:05 UTC.')
    for (const locale of locales) expect(visitTimeLines(inParis('2026-10-25T00:05:00Z', 30), locale, 'client')).toHaveLength(1)
  })

  it('a value keeps its own direction in Arabic', () => {
    expect(visitTimeLines(inParis('2026-11-24T09:00:00Z', 40), 'ar', 'client')[0]).toContain('\u206810:00\u2069–\u206810:40\u2069')
  })
})
