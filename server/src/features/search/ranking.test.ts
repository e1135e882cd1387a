import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { askedWords, fitting } from './asked-words.ts'
import { categoriesNamed } from './search-words.ts'
import { merit } from './search-store.ts'
import { halfDistanceKm, weights } from './ranking.ts'

interface Ranked {
  words: number | null
  distanceKm: number | null
  rating: number | null
  ratingCount: number
  claimed: boolean
}

const one: Ranked = { words: 1, distanceKm: 1, rating: 4.5, ratingCount: 50, claimed: true }

let t: TestApp
let id: string
beforeAll(async () => {
  t = await openTestApp()
  id = (await makeInstitute(t.db)).id
})
afterAll(() => t.close())

/** What the database makes of an institute like this. */
async function meritOf({ words, distanceKm, rating, ratingCount, claimed }: Ranked): Promise<number> {
  await sql`update institutes set claimed = ${claimed}, rating_count = ${ratingCount}, average_welcoming = ${rating}, average_hygiene = ${rating}, average_atmosphere = ${rating},
    average_service_quality = ${rating} where id = ${id}`.execute(t.db)
  const value = merit(
    sql`i.standing`,
    words === null ? null : sql`${words}::float8`,
    distanceKm === null ? null : sql`${distanceKm}::float8`,
  )
  const { rows } = await sql<{ merit: number }>`select ${value} as merit from institutes i where i.id = ${id}`.execute(t.db)
  return rows[0]?.merit ?? NaN
}

/** The formula of the help page, written as plainly as possible. */
function plainMerit({ words, distanceKm, rating, ratingCount, claimed }: Ranked): number {
  const stars = ((rating ?? 0) * ratingCount + 4 * 10) / (ratingCount + 10)
  const nearness = distanceKm === null ? 0 : 3 / (3 + distanceKm)
  return 4 * (words ?? 0) + 3 * nearness + 2 * Math.min(1, Math.max(0, (stars - 3) / 2)) + (claimed ? 7 : 0)
}

describe('recommended', () => {
  it('is the sum that the help page gives', async () => {
    for (const words of [null, 0, 0.6, 1])
      for (const distanceKm of [null, 0, 3, 400])
        for (const [rating, ratingCount] of [
          [null, 0],
          [5, 3],
          [1, 200],
          [4.25, 12],
        ] as const)
          for (const claimed of [true, false]) {
            const ranked = { words, distanceKm, rating, ratingCount, claimed }
            expect([ranked, await meritOf(ranked)]).toEqual([ranked, expect.closeTo(plainMerit(ranked), 9)])
          }
  })

  it('puts what can be booked before what is only listed when both answer the words equally well', async () => {
    const best = await meritOf({ words: 1, distanceKm: 0, rating: 5, ratingCount: 1000, claimed: false })
    const worst = await meritOf({ words: 1, distanceKm: 500, rating: 1, ratingCount: 1000, claimed: true })
    expect(worst).toBeGreaterThan(best + weights.soon)
  })

  it('lends few reviews a little doubt: three perfect ones count less than a hundred good ones', async () => {
    expect(await meritOf({ ...one, rating: 5, ratingCount: 3 })).toBeLessThan(await meritOf({ ...one, rating: 4.7, ratingCount: 100 }))
    expect(await meritOf({ ...one, rating: null, ratingCount: 0 })).toBe(await meritOf({ ...one, rating: 4, ratingCount: 20 }))
  })

  it('falls with distance to a half and never below nothing', async () => {
    const at = async (distanceKm: number): Promise<number> =>
      (await meritOf({ ...one, distanceKm })) - (await meritOf({ ...one, distanceKm: null }))
    expect([await at(0), await at(halfDistanceKm)]).toEqual(
      [weights.distance, weights.distance / 2].map((value) => expect.closeTo(value, 9) as number),
    )
    expect(await at(400)).toBeGreaterThan(0)
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
