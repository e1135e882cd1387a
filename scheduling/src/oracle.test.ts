/** The engine against the oracle on random institutes: 2,000 cases, or as many as SLOTS_CASES says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from './days.ts'
import type { RefusalReason } from './model.ts'
import { daysWithRoom, nearestOffers, nextOffers, offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { anyCase, anySessionCase, type Case } from './testing/diary-arbitrary.ts'
import { offersOf, plansOfDay } from './testing/oracle.ts'
import { seatsOfDay } from './testing/oracle-sessions.ts'
import { spanOfDay } from './wall-clock.ts'

const CASES = Number(process.env['SLOTS_CASES'] ?? 2000)
const SEED = Number(process.env['SLOTS_SEED'] ?? 20_261_120)

function askingOf({ now, client, forInstitute }: Case): { now: number; client: Case['client']; forInstitute: boolean } {
  return { now, client, forInstitute }
}

/** Every reason that a random whole minute of a known cart can meet; all must come up, so that no rule is left untried. */
const REACHED: readonly RefusalReason[] = [
  'past',
  'notice',
  'horizon',
  'repeated_time',
  'closed',
  'outside_opening',
  'prerequisite',
  'unknown_member',
  'not_performed',
  'not_bookable_online',
  'on_leave',
  'outside_shift',
  'on_break',
  'off_grid',
  'last_start',
  'taken',
  'buffer',
  'no_resource',
  'wait_too_long',
  'strands_gap',
]

interface Counted {
  offers: number
  empty: number
  readonly refused: Map<RefusalReason, number>
}

function checkDay(one: Case, counted: Counted): void {
  const { diary, cart, day } = one
  const asking = askingOf(one)
  const plans = plansOfDay(one)
  const offers = offersOf(plans)
  expect(offersForDays(diary, cart, { ...asking, fromDay: day, days: 1 })).toEqual([{ day, times: offers }])
  const room = daysWithRoom(diary, cart, { ...asking, fromDay: day, days: 1 })[0]
  expect(room?.room).toBe(offers.length > 0 ? 'some' : 'none')
  for (const [startsAt, plan] of plans) {
    expect(planVisit(diary, cart, startsAt, asking)).toEqual({ ok: true, plan })
    counted.offers++
  }
  const { from, to } = spanOfDay(diary.timeZone, day)
  for (let startsAt = from; startsAt < to; startsAt += 35) {
    if (plans.has(startsAt)) continue
    const planned = planVisit(diary, cart, startsAt, asking)
    if (planned.ok) expect(one.forInstitute).toBe(true)
    else counted.refused.set(planned.reason, (counted.refused.get(planned.reason) ?? 0) + 1)
  }
}

test('offers, plans, members, resources and occupations equal those of the brute-force oracle', () => {
  const counted: Counted = { offers: 0, empty: 0, refused: new Map() }
  fc.assert(
    fc.property(anyCase, (one) => {
      const before = counted.offers
      checkDay(one, counted)
      if (counted.offers === before) counted.empty++
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(counted.offers).toBeGreaterThan(CASES)
  expect(counted.empty).toBeLessThan(CASES * 0.75)
  if (CASES >= 1000) expect([...counted.refused.keys()].sort()).toEqual([...REACHED].sort())
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
    { numRuns: Math.ceil(CASES / 2), seed: SEED },
  )
  expect(counted.seats).toBeGreaterThan(CASES / 4)
  if (CASES < 1000) return
  expect(counted.shared).toBeGreaterThan(10)
  expect([...counted.refused.keys()].filter((reason) => REACHED_FOR_SEATS.includes(reason)).sort()).toEqual([...REACHED_FOR_SEATS].sort())
})
