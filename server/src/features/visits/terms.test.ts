import { describe, expect, it } from 'vitest'
import { lateCancelling, mayCancel, mayCancelLate, mayMove, termsAfterMove, termsFor, wireTerms } from './terms.ts'

const start = Date.parse('2026-11-24T09:00:00Z')
const hour = 3_600_000
const rules = { cancelWindowMinutes: 1440, rescheduleWindowMinutes: 90 }

describe('the terms of a visit', () => {
  it('are the windows of the rules with the last free instant', () => {
    expect(termsFor(rules, start)).toEqual({ ...rules, freeUntil: '2026-11-23T09:00:00.000Z' })
    expect(termsFor({ cancelWindowMinutes: null, rescheduleWindowMinutes: null }, start).freeUntil).toBeNull()
    expect(termsFor({ ...rules, cancelWindowMinutes: 0 }, start).freeUntil).toBe('2026-11-24T09:00:00.000Z')
  })

  it('count elapsed time: a day before a clock change is twenty-four hours before', () => {
    const afterChange = Date.parse('2026-10-25T09:00:00+01:00')
    expect(termsFor(rules, afterChange).freeUntil).toBe('2026-10-24T08:00:00.000Z')
  })

  it.each([
    [-24 * hour, true],
    [-24 * hour - 1, true],
    [-24 * hour + 1, false],
    [0, false],
  ])('cancelling %i ms from the start is free: %s', (offset, free) => {
    expect(mayCancel(termsFor(rules, start), start + offset)).toBe(free)
  })

  it.each([
    [-90 * 60_000, true],
    [-90 * 60_000 + 1, false],
  ])('moving %i ms from the start is possible: %s', (offset, possible) => {
    expect(mayMove(termsFor(rules, start), start, start + offset)).toBe(possible)
  })

  it('are never met where a window is absent', () => {
    const never = termsFor({ cancelWindowMinutes: null, rescheduleWindowMinutes: null }, start)
    expect([mayCancel(never, 0), mayMove(never, start, 0)]).toEqual([false, false])
    expect(wireTerms(never)).toEqual({ cancelWindowHours: null, rescheduleWindowHours: null, freeUntil: null })
    expect(termsAfterMove(never, start + hour, 0)).toEqual(never)
  })

  it('move with the visit while it is free, and stay once it is not', () => {
    const terms = termsFor(rules, start)
    expect(termsAfterMove(terms, start + 48 * hour, start - 24 * hour).freeUntil).toBe('2026-11-25T09:00:00.000Z')
    expect(termsAfterMove(terms, start + 48 * hour, start - 24 * hour + 1)).toEqual(terms)
    expect(termsAfterMove(terms, start - 12 * hour, start - 30 * hour).freeUntil).toBe('2026-11-22T21:00:00.000Z')
  })

  it('show hours, also halves', () => {
    expect(wireTerms(termsFor(rules, start))).toMatchObject({ cancelWindowHours: 24, rescheduleWindowHours: 1.5 })
  })

  it.each([
    ['nothing was agreed', null, null, null],
    ['a session of a package, and no money', null, null, 0, 3000],
    ['a session of a package, and no fee', null, 2100, 0, 3000],
    ['a session and the deposit', 1000, 2100, 1000, 3000],
    ['no more beside a session than the price with it', 1500, null, 1200, 3000],
    ['nothing beside a session that was dearer than the visit', 1500, null, 0, 5000],
    ['a deposit', 1500, null, 1500],
    ['a fee', null, 2100, 2100],
    ['the greater of both', 3000, 2100, 3000],
    ['never more than the price', 1500, 9000, 4200],
  ])('leaving late costs: %s', (_, depositAmount, late, costs, sessionsWorth: number | null = null) => {
    const fees = late === null ? null : { late, noShow: 0, graceMinutes: 0 }
    const agreed = { terms: termsFor(rules, start), depositAmount, fees, totalAmount: 4200, sessionsWorth }
    const until = start - 90 * 60_000
    expect(lateCancelling(agreed, start)).toEqual(costs === null ? null : { costs, until })
    expect([mayCancelLate(agreed, start, until), mayCancelLate(agreed, start, until + 1)]).toEqual([costs !== null, false])
  })

  it('leave no time to leave late where moving ends before leaving for free does', () => {
    const terms = termsFor({ cancelWindowMinutes: 60, rescheduleWindowMinutes: 90 }, start)
    expect(lateCancelling({ terms, depositAmount: 1500, fees: null, totalAmount: 4200 }, start)).toBeNull()
  })
})
