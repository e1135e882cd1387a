import { hourMs } from '@soigne/contract/time'
import { describe, expect, it } from 'vitest'
import { parseInstant } from '#/rows/instants.ts'
import { buildDemo } from './seed-demo.ts'

const now = Date.parse('2026-11-20T11:00:00Z')
const { institutes } = await buildDemo(now)
const all = institutes.flatMap(({ institute: { institute }, visits, online }) =>
  online.map((paid) => {
    const visit = visits.appointments.find(({ id }) => id === paid.id)
    if (!visit) throw new Error('paid for no visit')
    return { institute, visit, ...paid, sum: paid.payments.reduce((sum, { amount }) => sum + amount, 0) }
  }),
)

describe('visits that were paid online', () => {
  it('are at every institute, some and by far not all, and clients booked them', () => {
    for (const { online, visits } of institutes) {
      expect(online.length).toBeGreaterThan(4)
      expect(online.length).toBeLessThan(visits.appointments.length * 0.75)
    }
    expect(new Set(all.map(({ visit }) => visit.made_by))).toEqual(new Set(['client']))
    for (const { institute, payments } of all) for (const { method } of payments) expect(institute.payment_methods).toContain(method)
  })

  it('were paid while they could be: after the booking, before they began, in the past, and never more than they cost', () => {
    for (const { visit, payments, sum, cancelled } of all) {
      expect(sum).toBeLessThanOrEqual(visit.total_amount)
      expect(payments.some(({ isWhole }) => isWhole)).toBe(sum === visit.total_amount)
      for (const { begunAt, paidAt } of payments) {
        expect(begunAt).toBeGreaterThan(parseInstant(visit.created_at))
        expect(paidAt).toBeGreaterThan(begunAt)
        expect(paidAt).toBeLessThan(Math.min(now, parseInstant(visit.starts_at), cancelled?.at ?? now))
      }
    }
  })

  it('have a deposit wherever it is asked for, also those still to come', () => {
    for (const { institute: rows, visits, online } of institutes) {
      const { deposit_kind: kind } = rows.institute
      if (kind === 'none') continue
      const paid = new Map(online.map((one) => [one.id, one.payments[0]]))
      const asked = visits.appointments.filter((visit) => visit.life === 'booked' && visit.made_by === 'client' && visit.total_amount > 0)
      expect(asked.some(({ starts_at: startsAt }) => parseInstant(startsAt) > now + 24 * hourMs)).toBe(true)
      for (const visit of asked) expect([paid.get(visit.id)?.kind, visit.payment === 'none']).toEqual(['hold', false])
    }
  })

  it('that were cancelled are paid back, but a deposit whose client was late', () => {
    const cancelled = all.flatMap((one) => (one.cancelled ? [{ ...one, cancelled: one.cancelled }] : []))
    expect(cancelled.length).toBeGreaterThan(20)
    for (const {
      visit,
      cancelled: { at, by, kept },
      sum,
    } of cancelled) {
      const isLate = by === 'client' && at > parseInstant(visit.terms.freeUntil)
      expect(kept).toBe(isLate ? Math.min(sum, visit.deposit_amount ?? 0) : 0)
      expect(visit.payment === 'refunded').toBe(kept === 0)
      expect(parseInstant(visit.cancelled_at ?? '')).toBe(at)
    }
    expect(cancelled.some(({ cancelled: { kept } }) => kept > 0)).toBe(true)
  })
})
