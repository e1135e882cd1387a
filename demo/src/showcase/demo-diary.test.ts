import { nextOffers } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { describe, expect, it } from 'vitest'
import { diaryOfRows, minuteOf } from '#/testing/diary-of-rows.ts'
import { buildDemo, type Demo } from './seed-demo.ts'

/** Whether any service can be booked from now until the end of a day that is so many days ahead. */
function hasFreeTime({ institute: rows, visits }: Demo['institutes'][number], at: number, daysAhead: number): boolean {
  const diary = diaryOfRows(rows, visits)
  const untilDay = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(rows.institute.time_zone)
    .toPlainDate()
    .add({ days: daysAhead })
    .toString()
  return rows.services.some(
    (service) => nextOffers(diary, [{ serviceId: service.id }], { from: at / 60_000, now: at / 60_000, limit: 1, untilDay }).length > 0,
  )
}

describe('the diaries of the demo', () => {
  it.each([
    ['a Thursday noon', '2026-11-19T11:00:00Z'],
    ['a Saturday night', '2026-11-21T22:00:00Z'],
    ['a Sunday morning', '2027-01-03T08:00:00Z'],
    ['the evening before the clocks go forward', '2027-03-27T20:00:00Z'],
    ['a Monday evening in August', '2026-08-10T18:00:00Z'],
  ])('most institutes have a free time today or tomorrow on %s', async (_, at) => {
    const { institutes } = await buildDemo(Date.parse(at))
    const free = institutes.filter((one) => hasFreeTime(one, Date.parse(at), 1))
    expect(free.length).toBeGreaterThan(institutes.length * 0.6)
  })

  it('some open institutes are full today, and most are not', async () => {
    const at = Date.parse('2026-11-19T07:00:00Z')
    const { institutes } = await buildDemo(at)
    const open = institutes.filter(({ institute }) => institute.openingHours.some((row) => row.weekday === 4))
    const full = open.filter((one) => !hasFreeTime(one, at, 0))
    expect(full.length).toBeGreaterThanOrEqual(2)
    expect(full.length).toBeLessThan(open.length / 4)
  })

  it.each([
    ['an ordinary November', '2026-11-20T11:00:00Z'],
    ['the clock changes of spring and Ramadan', '2027-03-12T23:30:00Z'],
    ['the clock change of autumn', '2027-10-28T05:00:00Z'],
  ])('every visit stands where the time engine would have let the institute put it: %s', async (_, at) => {
    const { institutes } = await buildDemo(Date.parse(at))
    const refused: string[] = []
    let checked = 0
    for (const one of institutes) {
      one.visits.appointments.forEach((visit, index) => {
        if (index % 37 !== 0 || visit.life === 'cancelled') return
        checked++
        const cart = visit.cart.map((line) => ({ serviceId: line.serviceId, memberId: line.staffId }))
        const planning = planVisit(diaryOfRows(one.institute, one.visits, visit.id), cart, minuteOf(visit.starts_at), {
          now: minuteOf(visit.created_at),
          forInstitute: true,
        })
        if (!planning.ok) refused.push(`${one.institute.institute.slug} ${visit.starts_at} ${planning.reason}`)
        else expect(planning.plan.endsAt).toBe(minuteOf(visit.ends_at))
      })
    }
    expect(checked).toBeGreaterThan(300)
    expect(refused).toEqual([])
  })

  it('studios have classes in the weeks ahead, with places left and never more taken than there are', async () => {
    const at = Date.parse('2026-11-20T11:00:00Z')
    const { institutes } = await buildDemo(at)
    const studios = institutes.filter(({ institute }) => institute.services.some(({ capacity }) => capacity !== null))
    expect(studios.length).toBeGreaterThan(3)
    for (const one of studios) {
      const diary = diaryOfRows(one.institute, one.visits)
      for (const service of one.institute.services.filter(({ capacity }) => capacity !== null)) {
        const next = nextOffers(diary, [{ serviceId: service.id }], {
          from: at / 60_000,
          now: at / 60_000,
          limit: 5,
          untilDay: '2026-12-15',
        })
        expect(next.length).toBeGreaterThan(2)
        for (const { seatsLeft = 0 } of next) expect(seatsLeft).toBeLessThanOrEqual(service.capacity ?? 0)
        expect(one.visits.sessions.filter(({ service_id: id }) => id === service.id).length).toBeGreaterThan(5)
      }
      for (const { id, capacity } of one.visits.sessions) {
        const seats = one.visits.seats.filter(({ session_id: session }) => session === id).map(({ seat }) => seat)
        expect(seats).toEqual(Array.from({ length: seats.length }, (_, n) => n + 1))
        expect(seats.length).toBeLessThanOrEqual(capacity)
      }
    }
  })
})
