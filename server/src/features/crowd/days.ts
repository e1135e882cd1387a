// The working days of one made-up institute in minutes since the epoch: when it is open, and who works when.
import { dayNumber, dayOfNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { baseOfDay, zoneClock, type ZoneClock } from '@soigne/scheduling/wall-clock'
import { rotaAnchorDay, type WallRangeJson } from '#/features/demo/service.ts'
import type { CrowdHouse } from './rows.ts'

export interface WorkStretch {
  /** Wall minute the shift begins at: the grid counts from here. */
  gridFrom: number
  closesAt: number
  /** What is left of the shift after breaks, inside opening hours. */
  free: WallRangeJson[]
}

export interface WorkDay {
  /** The instant of wall minute 0, in minutes since the epoch. */
  base: number
  open: WallRangeJson[]
}

const anchor = dayNumber(rotaAnchorDay)
const holds = (day: string, row: { from_day: string; to_day: string }): boolean => row.from_day <= day && day <= row.to_day

function cutOut(stretches: readonly WallRangeJson[], hole: WallRangeJson): WallRangeJson[] {
  return stretches.flatMap(({ opensAt, closesAt }) =>
    [
      { opensAt, closesAt: Math.min(closesAt, hole.opensAt) },
      { opensAt: Math.max(opensAt, hole.closesAt), closesAt },
    ].filter((left) => left.closesAt > left.opensAt),
  )
}

const partOf = (row: { opens_at: number | null; closes_at: number | null }): WallRangeJson | null =>
  row.opens_at === null || row.closes_at === null ? null : { opensAt: row.opens_at, closesAt: row.closes_at }

export interface WorkDays {
  /** Null when closed, or when the clock changes: nobody is written in on such a day. */
  day(number: number): WorkDay | null
  /** What a member, by place in the team, works on a day. */
  work(position: number, number: number): readonly WorkStretch[]
}

export function workDaysOf(house: CrowdHouse): WorkDays {
  const clock: ZoneClock = zoneClock(house.institute.time_zone)
  const days = new Map<number, WorkDay | null>()
  const works = new Map<number, readonly WorkStretch[]>()
  const shiftsOfRota = Map.groupBy(house.shifts, ({ rota_id: rota }) => rota)
  const rotas = new Map(house.rotas.map((rota) => [rota.member_id, { weeks: rota.weeks, shifts: shiftsOfRota.get(rota.id) ?? [] }]))

  function look(number: number): WorkDay | null {
    const base = baseOfDay(clock, number)
    if (Number.isNaN(base)) return null
    const day = dayOfNumber(number)
    const weekday = weekdayOfNumber(number)
    let open: WallRangeJson[] = house.openingHours
      .filter((row) => row.weekday === weekday)
      .map((row) => ({ opensAt: row.opens_at, closesAt: row.closes_at }))
    for (const closure of house.closures) {
      if (!holds(day, closure)) continue
      const part = partOf(closure)
      open = part ? cutOut(open, part) : []
    }
    return open.length === 0 ? null : { base, open }
  }

  function shiftsOn(position: number, number: number): readonly WorkStretch[] {
    const member = house.members[position]
    const day = dayOfNumber(number)
    if (!member || house.absences.some((row) => row.member_id === member.id && holds(day, row))) return []
    const override = house.overrides.find((row) => row.member_id === member.id && row.day === day)
    const rota = rotas.get(member.id)
    if (!override && !rota) return []
    const weekday = weekdayOfNumber(number)
    const week = rota ? (((Math.floor((number - anchor) / 7) % rota.weeks) + rota.weeks) % rota.weeks) + 1 : 1
    const shifts =
      override?.shifts ??
      (rota?.shifts ?? [])
        .filter((shift) => shift.week === week && shift.weekday === weekday)
        .map((shift) => ({ opensAt: shift.opens_at, closesAt: shift.closes_at, breaks: shift.breaks }))
    return shifts.map(({ opensAt, closesAt, breaks }) => ({
      gridFrom: opensAt,
      closesAt,
      free: breaks.reduce<WallRangeJson[]>(cutOut, [{ opensAt, closesAt }]),
    }))
  }

  return {
    day(number) {
      let found = days.get(number)
      if (found === undefined) days.set(number, (found = look(number)))
      return found
    },
    work(position, number) {
      const key = number * 64 + position
      let found = works.get(key)
      if (!found) works.set(key, (found = shiftsOn(position, number)))
      return found
    },
  }
}
