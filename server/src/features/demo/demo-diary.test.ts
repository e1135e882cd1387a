import type { EpochMinute, InstituteDiary, InstituteRules, Rota, Shift, Span, Weekday } from '@soigne/scheduling/model'
import { nextOffers } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { describe, expect, it } from 'vitest'
import type { DemoInstitute, DemoVisits } from './rows.ts'
import { buildDemo } from './seed-demo.ts'

const minuteOf = (instant: string): EpochMinute => Date.parse(instant) / 60_000

const dayRange = (row: {
  from_day: string
  to_day: string
  opens_at?: number | null
  closes_at?: number | null
}): { fromDay: string; toDay: string; part?: { opensAt: number; closesAt: number } } => ({
  fromDay: row.from_day,
  toDay: row.to_day,
  ...(row.opens_at != null && row.closes_at != null ? { part: { opensAt: row.opens_at, closesAt: row.closes_at } } : {}),
})

function busyOf(visits: DemoVisits, id: string, except: string | null): Span[] {
  return visits.occupations
    .filter((row) => row.subject_id === id && row.appointment_id !== except)
    .map((row) => {
      const [from = '', to = ''] = row.during.slice(1, -1).split(',')
      return { from: minuteOf(from), to: minuteOf(to) }
    })
}

function rotasOf(demo: DemoInstitute, memberId: string): Rota[] {
  return demo.rotas
    .filter((rota) => rota.member_id === memberId)
    .map((rota) => ({
      weeks: rota.weeks as Rota['weeks'],
      anchorDay: rota.anchor_day,
      shifts: demo.shifts
        .filter((shift) => shift.rota_id === rota.id)
        .map((shift): Shift => ({
          week: shift.week as Shift['week'],
          weekday: shift.weekday as Weekday,
          opensAt: shift.opens_at,
          closesAt: shift.closes_at,
          breaks: shift.breaks,
        })),
    }))
}

/** The demo's rows as the time engine reads them; leaves one visit out when asked. */
function diaryOf({ demo, visits }: { demo: DemoInstitute; visits: DemoVisits }, except: string | null = null): InstituteDiary {
  const { institute } = demo
  return {
    timeZone: institute.time_zone,
    rules: {
      gridMinutes: institute.grid_minutes as InstituteRules['gridMinutes'],
      noticeMinutes: institute.notice_minutes,
      horizonDays: institute.horizon_days,
      maxWaitMinutes: institute.max_wait_minutes,
      gaps: institute.gap_policy as InstituteRules['gaps'],
      serviceOrder: institute.service_order as InstituteRules['serviceOrder'],
    },
    openingHours: demo.openingHours.map((row) => ({ weekday: row.weekday as Weekday, opensAt: row.opens_at, closesAt: row.closes_at })),
    closures: demo.closures.map(dayRange),
    members: demo.members.map((member) => ({
      id: member.id,
      order: member.position,
      bookableOnline: member.bookable_online,
      rotas: rotasOf(demo, member.id),
      overrides: demo.overrides.filter((row) => row.member_id === member.id),
      absences: demo.absences.filter((row) => row.member_id === member.id).map(dayRange),
      busy: busyOf(visits, member.id, except),
      performs: new Map(
        demo.memberServices
          .filter((row) => row.member_id === member.id)
          .map((row) => [
            row.service_id,
            row.active_minutes === null
              ? {}
              : {
                  parts: {
                    activeMinutes: row.active_minutes,
                    idleMinutes: row.idle_minutes ?? 0,
                    activeAfterMinutes: row.active_after_minutes ?? 0,
                  },
                },
          ]),
      ),
    })),
    resources: demo.resources.map((row) => ({
      id: row.id,
      type: row.type,
      order: row.position,
      closures: demo.resourceClosures.filter((closure) => closure.resource_id === row.id).map(dayRange),
      busy: busyOf(visits, row.id, except),
    })),
    services: new Map(
      demo.services.map((row) => [
        row.id,
        {
          id: row.id,
          parts: { activeMinutes: row.active_minutes, idleMinutes: row.idle_minutes, activeAfterMinutes: row.active_after_minutes },
          bufferBeforeMinutes: row.buffer_before_minutes,
          bufferAfterMinutes: row.buffer_after_minutes,
          ...(row.latest_start === null ? {} : { latestStart: row.latest_start }),
          ...(row.notice_minutes === null ? {} : { noticeMinutes: row.notice_minutes }),
          resourceType: row.resource_type,
          prerequisites: [],
        },
      ]),
    ),
  }
}

/** Whether any service can be booked from now until the end of a day that is so many days ahead. */
function hasFreeTime(one: { demo: DemoInstitute; visits: DemoVisits }, at: number, daysAhead: number): boolean {
  const diary = diaryOf(one)
  const untilDay = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(one.demo.institute.time_zone)
    .toPlainDate()
    .add({ days: daysAhead })
    .toString()
  return one.demo.services.some(
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
    const open = institutes.filter(({ demo }) => demo.openingHours.some((row) => row.weekday === 4))
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
        if (index % 37 !== 0 || visit.status === 'cancelled') return
        checked++
        const cart = visit.cart.map((line) => ({ serviceId: line.serviceId, memberId: line.staffId }))
        const planning = planVisit(diaryOf(one, visit.id), cart, minuteOf(visit.starts_at), {
          now: minuteOf(visit.created_at),
          forInstitute: true,
        })
        if (!planning.ok) refused.push(`${one.demo.institute.slug} ${visit.starts_at} ${planning.reason}`)
        else expect(planning.plan.endsAt).toBe(minuteOf(visit.ends_at))
      })
    }
    expect(checked).toBeGreaterThan(300)
    expect(refused).toEqual([])
  })
})
