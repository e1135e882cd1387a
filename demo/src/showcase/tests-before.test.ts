import { describe, expect, it } from 'vitest'
import { buildDemo, type Demo } from './seed-demo.ts'

type Made = Demo['institutes'][number]

/** Visits whose client has had no test in time, as the calendar looks at them: 48 hours before, and not more than six months. */
function withoutTest({ institute: { institute, prerequisites }, visits }: Made): string[] {
  const kept = visits.appointments.filter(({ life }) => life === 'booked')
  return kept.flatMap((visit) =>
    prerequisites.flatMap((rule) => {
      if (!visit.cart.some(({ serviceId }) => serviceId === rule.service_id)) return []
      const starts = Temporal.Instant.from(visit.starts_at).toZonedDateTimeISO('UTC')
      const isThere = kept.some((test) => {
        const isTest = test.cart.some(({ serviceId }) => serviceId === rule.required_service_id)
        if (!isTest || test.customer_id !== visit.customer_id || test.id === visit.id || test.attendance === 'no_show') return false
        const ends = Temporal.Instant.from(test.ends_at).toZonedDateTimeISO('UTC')
        const [opens, closes] = [ends.add({ hours: rule.min_hours }), ends.add({ months: rule.max_months })]
        return Temporal.ZonedDateTime.compare(opens, starts) <= 0 && Temporal.ZonedDateTime.compare(closes, starts) >= 0
      })
      return isThere ? [] : [`${institute.slug} ${visit.starts_at}`]
    }),
  )
}

describe('visits of the demo that need a test', () => {
  it.each([
    ['an ordinary November', '2026-11-20T11:00:00Z'],
    ['a Sunday night in August', '2026-08-09T22:00:00Z'],
    ['the days after New Year', '2027-01-03T08:00:00Z'],
    ['the clock changes of spring and Ramadan', '2027-03-12T23:30:00Z'],
  ])('have one that was done in time, at every institute: %s', async (_, at) => {
    const { institutes } = await buildDemo(Date.parse(at))
    const needing = institutes.filter(({ institute }) => institute.prerequisites.length > 0)
    expect(needing.length).toBeGreaterThan(5)
    expect(institutes.flatMap(withoutTest)).toEqual([])
  })

  it('have them with whoever comes, account and record alike, and a test that is written in is behind us', async () => {
    const at = Date.parse('2026-11-20T11:00:00Z')
    const { institutes } = await buildDemo(at)
    for (const { institute, visits } of institutes) {
      const customers = new Map(visits.customers.map((one) => [one.id, one]))
      const tests = new Set(institute.prerequisites.map((row) => row.required_service_id))
      for (const visit of visits.appointments) {
        const customer = customers.get(visit.customer_id)
        expect(visit.user_id).toBe(customer?.user_id ?? null)
        if (!visit.cart.some(({ serviceId }) => tests.has(serviceId))) continue
        expect(visit.created_at >= (customer?.created_at ?? '')).toBe(true)
        if (visit.attendance === 'done') expect(Date.parse(visit.ends_at)).toBeLessThan(at)
      }
    }
  })
})
