import { describe, expect, it } from 'vitest'
import { askedWords, fitting } from './asked-words.ts'
import { categoriesNamed } from './category-names.ts'
import { halfDistanceKm, merit, meritOfSoon, weights } from './ranking.ts'

const one = { words: 1, distanceKm: 1, rating: 4.5, ratingCount: 50, claimed: true }

describe('recommended', () => {
  it('puts what can be booked before what is only listed when both answer the words equally well', () => {
    const best = { words: 1, distanceKm: 0, rating: 5, ratingCount: 1000, claimed: false }
    const worst = { words: 1, distanceKm: 500, rating: 1, ratingCount: 1000, claimed: true }
    expect(merit(worst)).toBeGreaterThan(merit(best) + weights.soon)
  })

  it('lends few reviews a little doubt: three perfect ones count less than a hundred good ones', () => {
    expect(merit({ ...one, rating: 5, ratingCount: 3 })).toBeLessThan(merit({ ...one, rating: 4.7, ratingCount: 100 }))
    expect(merit({ ...one, rating: null, ratingCount: 0 })).toBe(merit({ ...one, rating: 4, ratingCount: 20 }))
  })

  it('falls with distance to a half and never below nothing', () => {
    const at = (distanceKm: number): number => merit({ ...one, distanceKm }) - merit({ ...one, distanceKm: null })
    expect([at(0), at(halfDistanceKm)]).toEqual([weights.distance, weights.distance / 2].map((value) => expect.closeTo(value, 9) as number))
    expect(at(400)).toBeGreaterThan(0)
  })

  it('counts a time within 48 hours as soon', () => {
    const now = Date.parse('2026-11-20T09:00:00Z')
    expect([meritOfSoon(null, now), meritOfSoon(now + 48 * 3_600_000, now), meritOfSoon(now + 48 * 3_600_000 + 1, now)]).toEqual([
      0,
      weights.soon,
      0,
    ])
  })
})

describe('asked words', () => {
  it.each<[string, string[]]>([
    ['Massage pour le dos', ['massage', 'dos']],
    ['ÉPILATION', ['epilation']],
    ['l’atelier d’Inès', ['atelier', 'ines']],
    ['  ', []],
    ['🦄!', []],
    ['the', ['the']],
    ['المانيكير', ['مانيكير']],
    ['gel gel GEL', ['gel']],
  ])('%s carries %j', (text, words) => {
    expect(askedWords(text)).toEqual(words)
  })

  it.each<[string, string, number]>([
    ['massage', 'Massage suédois', 1],
    ['masage', 'Massage', 0.8],
    ['nial', 'Nail art', 0.7],
    ['mani', 'Manicure', 0.9],
    ['manicure', 'Pedicure', 0],
    ['tattoo', 'Massage', 0],
    ['مانيكير', 'المانيكير', 1],
  ])('%s against %s fits at least %d', (asked, text, least) => {
    const fit = fitting(askedWords(asked))([{ text, weight: 1 }])
    expect(fit).toBeGreaterThanOrEqual(least)
    if (least === 0) expect(fit).toBeLessThan(0.72)
  })

  it.each<[string, string[]]>([
    ['haircut', ['hair']],
    ['coiffure', ['hair']],
    ['tatouage', ['tatto']],
    ['xyz', []],
    ['a', []],
    ['مساج', ['massage']],
  ])('%s stands for %j', (word, categories) => {
    expect(categoriesNamed(askedWords(word)[0] ?? '', 'as_typed')).toEqual(categories)
  })
  it('a mistyped category is one only when words are matched loosely', () => {
    expect([categoriesNamed('masage', 'as_typed'), categoriesNamed('masage', 'alike')]).toEqual([[], ['massage']])
  })
})
