/** One day of a made-up institute by the engine and by the oracle, and what all reasons must have come up for. Runs in vitest. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { RefusalReason } from '#/model.ts'
import { daysWithRoom, offersForDays } from '#/offers.ts'
import { planVisit } from '#/plan-visit.ts'
import { spanOfDay } from '#/wall-clock.ts'
import { anyCase, type Case } from './diary-arbitrary.ts'
import { offersOf, plansOfDay } from './oracle.ts'

/** How many institutes are tried: 1,000, or as many as SLOTS_CASES says. */
export const CASES = Number(process.env['SLOTS_CASES'] ?? 1000)
export const SEED = Number(process.env['SLOTS_SEED'] ?? 20_261_120)

export function askingOf({ now, client, forInstitute }: Case): { now: number; client: Case['client']; forInstitute: boolean } {
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

export interface Counted {
  offers: number
  empty: number
  readonly refused: Map<RefusalReason, number>
}

export function checkDay(one: Case, counted: Counted): void {
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

/** Tries so many random days; the two halves of them are in files of their own, so that two processors share them. */
export function expectOffersOfOracle(cases: number, seed: number): void {
  const counted: Counted = { offers: 0, empty: 0, refused: new Map() }
  fc.assert(
    fc.property(anyCase, (one) => {
      const before = counted.offers
      checkDay(one, counted)
      if (counted.offers === before) counted.empty++
    }),
    { numRuns: cases, seed },
  )
  expect(counted.offers).toBeGreaterThan(cases)
  expect(counted.empty).toBeLessThan(cases * 0.75)
  if (cases >= 1000) expect([...counted.refused.keys()].sort()).toEqual([...REACHED].sort())
}
