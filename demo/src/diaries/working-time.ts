// Who works when, read off the rows: what is open on a day, the shifts of a member, and what a service takes of them.
import type { WallRange } from '#/rows/institute.ts'
import type { ServiceMinutes, ServiceRow } from '#/rows/menu.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import type { MemberServiceRow, RotaShiftRow, Shift } from '#/rows/team.ts'

/** From and until when, in whatever unit the caller counts. */
export interface Stretch {
  from: number
  to: number
}

/** Stretches that visits take of each member and resource. */
export type Taken = Map<string, Stretch[]>

export const isTaken = (taken: Taken, id: string, { from, to }: Stretch): boolean =>
  taken.get(id)?.some((other) => other.from < to && from < other.to) ?? false

export function take(taken: Taken, id: string, { from, to }: Stretch): void {
  const list = taken.get(id)
  if (list) list.push({ from, to })
  else taken.set(id, [{ from, to }])
}

const holds = (day: string, row: { from_day: string; to_day: string }): boolean => row.from_day <= day && day <= row.to_day

export function cutOut(ranges: readonly WallRange[], hole: WallRange): WallRange[] {
  return ranges.flatMap(({ opensAt, closesAt }) =>
    [
      { opensAt, closesAt: Math.min(closesAt, hole.opensAt) },
      { opensAt: Math.max(opensAt, hole.closesAt), closesAt },
    ].filter((left) => left.closesAt > left.opensAt),
  )
}

export const isWithin = (ranges: readonly WallRange[], { opensAt, closesAt }: WallRange): boolean =>
  ranges.some((range) => range.opensAt <= opensAt && closesAt <= range.closesAt)

/** Opening ranges of a day after closures; empty when closed. */
export function openRanges({ openingHours, closures }: InstituteRows, day: string, weekday: number): WallRange[] {
  let ranges: WallRange[] = openingHours
    .filter((row) => row.weekday === weekday)
    .map((row) => ({ opensAt: row.opens_at, closesAt: row.closes_at }))
  for (const closure of closures) {
    if (!holds(day, closure)) continue
    const { opens_at: opensAt, closes_at: closesAt } = closure
    ranges = opensAt === null || closesAt === null ? [] : cutOut(ranges, { opensAt, closesAt })
  }
  return ranges
}

/** Ids of resources that are closed on a day. */
export const closedResources = ({ resourceClosures }: InstituteRows, day: string): Set<string> =>
  new Set(resourceClosures.filter((row) => holds(day, row)).map((row) => row.resource_id))

/** Rotas by member, looked up once. */
export type Rotas = ReadonlyMap<string, { weeks: number; shifts: readonly RotaShiftRow[] }>

export function rotasOf({ rotas, shifts }: InstituteRows): Rotas {
  const shiftsOfRota = Map.groupBy(shifts, ({ rota_id: rota }) => rota)
  return new Map(rotas.map((rota) => [rota.member_id, { weeks: rota.weeks, shifts: shiftsOfRota.get(rota.id) ?? [] }]))
}

export interface DayOfRota {
  day: string
  /** 1 is Monday. */ weekday: number
  weeksSinceAnchor: number
}

/** The shifts a member works on a day: leave wins, then the single day, then the rota. */
export function shiftsOn(
  { absences, overrides }: InstituteRows,
  rotas: Rotas,
  memberId: string,
  { day, weekday, weeksSinceAnchor }: DayOfRota,
): readonly Shift[] {
  if (absences.some((row) => row.member_id === memberId && holds(day, row))) return []
  const override = overrides.find((row) => row.member_id === memberId && row.day === day)
  if (override) return override.shifts
  const rota = rotas.get(memberId)
  if (!rota) return []
  const week = (((weeksSinceAnchor % rota.weeks) + rota.weeks) % rota.weeks) + 1
  return rota.shifts
    .filter((shift) => shift.week === week && shift.weekday === weekday)
    .map((shift) => ({ opensAt: shift.opens_at, closesAt: shift.closes_at, breaks: shift.breaks }))
}

/** A shift without its breaks. */
export const freeRanges = ({ opensAt, closesAt, breaks }: Shift): WallRange[] => breaks.reduce<WallRange[]>(cutOut, [{ opensAt, closesAt }])

/** How long a service takes with somebody: their own minutes, else those of the menu. */
export const minutesWith = (service: ServiceRow, own: MemberServiceRow): ServiceMinutes => ({
  activeMinutes: own.active_minutes ?? service.active_minutes,
  idleMinutes: own.idle_minutes ?? service.idle_minutes,
  activeAfterMinutes: own.active_after_minutes ?? service.active_after_minutes,
})

/** What a service takes of its member: the parts they work, and each with the buffers that touch it. */
export function workedParts(startsAt: number, minutes: ServiceMinutes, service: ServiceRow): { worked: WallRange; taken: Stretch }[] {
  const from = startsAt - service.buffer_before_minutes
  const firstEnds = startsAt + minutes.activeMinutes
  const end = firstEnds + minutes.idleMinutes + minutes.activeAfterMinutes
  const to = end + service.buffer_after_minutes
  if (minutes.idleMinutes === 0) return [{ worked: { opensAt: startsAt, closesAt: end }, taken: { from, to } }]
  const again = firstEnds + minutes.idleMinutes
  return [
    { worked: { opensAt: startsAt, closesAt: firstEnds }, taken: { from, to: firstEnds } },
    { worked: { opensAt: again, closesAt: end }, taken: { from: again, to } },
  ]
}
