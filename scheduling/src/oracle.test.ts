/** The engine against the oracle on random institutes: half of the cases, and the next and nearest offers. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from './days.ts'
import { nearestOffers, nextOffers, offersForDays } from './offers.ts'
import { anyCase, anySessionCase } from './testing/diary-arbitrary.ts'
import { askingOf, CASES, expectOffersOfOracle, SEED } from './testing/oracle-days.ts'
import { spanOfDay } from './wall-clock.ts'

test('offers, plans, members, resources and occupations equal those of the brute-force oracle', () => {
  expect.hasAssertions()
  expectOffersOfOracle(Math.ceil(CASES / 2), SEED)
})

test('the next and the nearest offers are the first and the closest of all offers of the days around', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 2, arbitrary: anyCase }, { weight: 1, arbitrary: anySessionCase }),
      fc.nat(1300),
      fc.integer({ min: 1, max: 6 }),
      (one, minute, limit) => {
        const { diary, cart, day } = one
        const asking = askingOf(one)
        const from = spanOfDay(diary.timeZone, day).from + minute
        const untilDay = addDays(day, 6)
        const all = offersForDays(diary, cart, { ...asking, fromDay: addDays(day, -2), days: 12 }).flatMap(({ times }) => times)
        const untilEnd = all.filter(({ startsAt }) => startsAt >= from && startsAt < spanOfDay(diary.timeZone, untilDay).to)
        expect(nextOffers(diary, cart, { ...asking, from, limit, untilDay })).toEqual(untilEnd.slice(0, limit))
        const near = all
          .filter(({ startsAt }) => startsAt !== from && startsAt < spanOfDay(diary.timeZone, addDays(day, 2)).to)
          .sort((a, b) => Math.abs(a.startsAt - from) - Math.abs(b.startsAt - from) || a.startsAt - b.startsAt)
          .slice(0, limit)
        const found = nearestOffers(diary, cart, from, { ...asking, limit, withinDays: 2 })
        expect(found).toEqual(near.sort((a, b) => a.startsAt - b.startsAt))
      },
    ),
    { numRuns: Math.ceil(CASES / 4), seed: SEED },
  )
})
