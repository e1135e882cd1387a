/** The engine against the oracle on random institutes: the other half of the cases, and seats of group sessions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RefusalReason } from './model.ts'
import { daysWithRoom, offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { anySessionCase } from './testing/diary-arbitrary.ts'
import { askingOf, CASES, checkDay, type Counted, expectOffersOfOracle, SEED } from './testing/oracle-days.ts'
import { seatsOfDay } from './testing/oracle-sessions.ts'
import { spanOfDay } from './wall-clock.ts'

test('offers, plans, members, resources and occupations of other institutes equal those of the brute-force oracle', () => {
  expect.hasAssertions()
  expectOffersOfOracle(Math.floor(CASES / 2), SEED + 1)
})

/** Every reason that a seat can be refused for. */
const REACHED_FOR_SEATS: readonly RefusalReason[] = [
  'past',
  'notice',
  'horizon',
  'closed',
  'on_leave',
  'no_resource',
  'unknown_member',
  'prerequisite',
  'session_alone',
  'no_session',
  'full',
]

test('seats of group sessions equal those of the oracle, and other services do not see them', () => {
  const counted: Counted & { seats: number; shared: number } = { offers: 0, empty: 0, refused: new Map(), seats: 0, shared: 0 }
  fc.assert(
    fc.property(anySessionCase, (one) => {
      const { diary, cart, day } = one
      if (!cart.some(({ serviceId }) => (diary.services.get(serviceId)?.capacity ?? 1) > 1)) return checkDay(one, counted)
      const asking = askingOf(one)
      const seats = seatsOfDay(one)
      const offers = [...seats.values()].map(({ offer }) => offer)
      expect(offersForDays(diary, cart, { ...asking, fromDay: day, days: 1 })).toEqual([{ day, times: offers }])
      expect(daysWithRoom(diary, cart, { ...asking, fromDay: day, days: 1 })[0]?.room).toBe(offers.length > 0 ? 'some' : 'none')
      for (const [startsAt, { plan, offer }] of seats) {
        expect(planVisit(diary, cart, startsAt, asking)).toEqual({ ok: true, plan })
        counted.seats++
        const left = (diary.sessions ?? []).find(({ id }) => id === plan.sessionId)!
        if (offer.seatsLeft! > left.seats - left.taken) counted.shared++
      }
      const { from, to } = spanOfDay(diary.timeZone, day)
      const starts = (diary.sessions ?? []).map((session) => session.from).filter((at) => at >= from && at < to)
      for (const startsAt of [from + 61, ...starts]) {
        if (seats.has(startsAt)) continue
        const planned = planVisit(diary, cart, startsAt, asking)
        if (planned.ok) expect(one.forInstitute).toBe(true)
        else counted.refused.set(planned.reason, (counted.refused.get(planned.reason) ?? 0) + 1)
      }
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(counted.seats).toBeGreaterThan(CASES / 4)
  if (CASES < 1000) return
  expect(counted.shared).toBeGreaterThan(CASES / 250)
  expect([...counted.refused.keys()].filter((reason) => REACHED_FOR_SEATS.includes(reason)).sort()).toEqual([...REACHED_FOR_SEATS].sort())
})
