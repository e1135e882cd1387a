import { describe, expect, it } from 'vitest'
import { daysAhead, weekLetters, weekOf } from './rota-weeks.ts'

const free = { Monday: [], Tuesday: [], Wednesday: [], Thursday: [], Friday: [], Saturday: [], Sunday: [] }
const nine = { opensAt: '09:00', closesAt: '18:00' }

describe('weeks that repeat', () => {
  it('[E-12] fall in the right week across the end of a year of 53 weeks', () => {
    const weeks = [
      { ...free, Saturday: [nine] },
      { ...free, Tuesday: [nine] },
    ]
    const days = daysAhead({ anchorDay: '2026-11-30', weeks }, '2026-11-30', 7)
    expect(days.flatMap(({ day, shifts }) => (shifts.length > 0 ? [day] : []))).toEqual([
      '2026-12-05',
      '2026-12-08',
      '2026-12-19',
      '2026-12-22',
      '2027-01-02',
      '2027-01-05',
      '2027-01-16',
    ])
    expect([weekOf('2026-11-30', 2, '2027-01-02'), weekOf('2026-11-30', 2, '2027-01-09'), weekOf('2026-11-30', 2, '2026-11-23')]).toEqual([
      0, 1, 1,
    ])
  })

  it('[P-12] are named in the letters of the language', () => {
    expect([weekLetters('fr'), weekLetters('ar')]).toEqual([
      ['A', 'B', 'C', 'D'],
      ['أ', 'ب', 'ج', 'د'],
    ])
  })
})
