/** Rows as the time engine reads them, so that the demo and the crowd can be held against it. */
import type {
  DayRange,
  EpochMinute,
  InstituteDiary,
  InstituteRules,
  MemberDiary,
  Rota,
  ServiceRule,
  Span,
  Weekday,
} from '@soigne/scheduling/model'
import type { ServiceRow } from '#/rows/menu.ts'
import type { InstituteRows, VisitRows } from '#/rows/tables.ts'
import type { MemberRow } from '#/rows/team.ts'
import { spanOf } from '#/rows/visits.ts'

export const minuteOf = (instant: string): EpochMinute => Date.parse(instant) / 60_000

interface DaysRow {
  from_day: string
  to_day: string
  opens_at?: number | null
  closes_at?: number | null
}

const daysOf = ({ from_day: fromDay, to_day: toDay, opens_at: opensAt, closes_at: closesAt }: DaysRow): DayRange => ({
  fromDay,
  toDay,
  ...(opensAt != null && closesAt != null ? { part: { opensAt, closesAt } } : {}),
})

const rotasOf = (rows: InstituteRows, memberId: string): Rota[] =>
  rows.rotas
    .filter((rota) => rota.member_id === memberId)
    .map((rota) => ({
      weeks: rota.weeks as Rota['weeks'],
      anchorDay: rota.anchor_day,
      shifts: rows.shifts
        .filter((shift) => shift.rota_id === rota.id)
        .map((shift) => ({
          week: shift.week as Rota['weeks'],
          weekday: shift.weekday as Weekday,
          opensAt: shift.opens_at,
          closesAt: shift.closes_at,
          breaks: shift.breaks,
        })),
    }))

const memberOf = (rows: InstituteRows, member: MemberRow, busy: readonly Span[]): MemberDiary => ({
  id: member.id,
  order: member.position,
  bookableOnline: member.bookable_online,
  rotas: rotasOf(rows, member.id),
  overrides: rows.overrides.filter((row) => row.member_id === member.id),
  absences: rows.absences.filter((row) => row.member_id === member.id).map(daysOf),
  busy,
  performs: new Map(
    rows.memberServices
      .filter((row) => row.member_id === member.id)
      .map(({ service_id: service, active_minutes: active, idle_minutes: idle, active_after_minutes: after }) => [
        service,
        active === null ? {} : { parts: { activeMinutes: active, idleMinutes: idle ?? 0, activeAfterMinutes: after ?? 0 } },
      ]),
  ),
})

const serviceOf = (row: ServiceRow): ServiceRule => ({
  id: row.id,
  parts: { activeMinutes: row.active_minutes, idleMinutes: row.idle_minutes, activeAfterMinutes: row.active_after_minutes },
  bufferBeforeMinutes: row.buffer_before_minutes,
  bufferAfterMinutes: row.buffer_after_minutes,
  isSequential: row.is_sequential,
  ...(row.latest_start === null ? {} : { latestStart: row.latest_start }),
  ...(row.notice_minutes === null ? {} : { noticeMinutes: row.notice_minutes }),
  ...(row.resource_type === null ? {} : { resourceType: row.resource_type }),
  ...(row.capacity === null ? {} : { capacity: row.capacity }),
  prerequisites: [],
})

/** The diary of one institute; leaves one visit out when asked. */
export function diaryOfRows(rows: InstituteRows, visits: VisitRows, exceptVisit: string | null = null): InstituteDiary {
  const { institute } = rows
  const busy = Map.groupBy(
    visits.occupations.filter((row) => row.appointment_id !== exceptVisit),
    (row) => row.subject_id,
  )
  const busyOf = (id: string): Span[] => (busy.get(id) ?? []).map(spanOf)
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
    openingHours: rows.openingHours.map((row) => ({ weekday: row.weekday as Weekday, opensAt: row.opens_at, closesAt: row.closes_at })),
    closures: rows.closures.map(daysOf),
    members: rows.members.map((member) => memberOf(rows, member, busyOf(member.id))),
    resources: rows.resources.map(({ id, type, position }) => ({
      id,
      type,
      order: position,
      closures: rows.resourceClosures.filter((closure) => closure.resource_id === id).map(daysOf),
      busy: busyOf(id),
    })),
    services: new Map(rows.services.map((row) => [row.id, serviceOf(row)])),
    sessions: visits.sessions.map((row) => ({
      id: row.id,
      serviceId: row.service_id,
      memberId: row.member_id,
      resourceId: row.resource_id ?? undefined,
      ...spanOf(row),
      seats: row.capacity,
      taken: visits.seats.filter((seat) => seat.session_id === row.id && seat.appointment_id !== exceptVisit).length,
    })),
  }
}
