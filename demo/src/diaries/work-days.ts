// The working days of one made-up institute in minutes since the epoch: when it is open, and who works when.
import { dayNumber, dayOfNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { baseOfDay, zoneClock, type ZoneClock } from '@soigne/scheduling/wall-clock'
import { freeRanges, openRanges, rotasOf, shiftsOn } from './working-time.ts'
import type { WallRange } from '#/rows/institute.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import { rotaAnchorDay } from '#/rows/team.ts'

export interface WorkStretch {
  /** Wall minute the shift begins at: the grid counts from here. */
  gridFrom: number
  closesAt: number
  /** What is left of the shift after breaks, inside opening hours. */
  free: WallRange[]
}

export interface WorkDay {
  /** The instant of wall minute 0, in minutes since the epoch. */
  base: number
  open: WallRange[]
}

const anchor = dayNumber(rotaAnchorDay)

export interface WorkDays {
  /** Null when closed, or when the clock changes: nobody is written in on such a day. */
  day(number: number): WorkDay | null
  /** What a member, by place in the team, works on a day. */
  work(position: number, number: number): readonly WorkStretch[]
}

export function workDaysOf(institute: InstituteRows): WorkDays {
  const clock: ZoneClock = zoneClock(institute.institute.time_zone)
  const days = new Map<number, WorkDay | null>()
  const works = new Map<number, readonly WorkStretch[]>()
  const rotas = rotasOf(institute)

  function look(number: number): WorkDay | null {
    const base = baseOfDay(clock, number)
    if (Number.isNaN(base)) return null
    const open = openRanges(institute, dayOfNumber(number), weekdayOfNumber(number))
    return open.length === 0 ? null : { base, open }
  }

  function stretchesOn(position: number, number: number): readonly WorkStretch[] {
    const member = institute.members[position]
    if (!member) return []
    const weeksSinceAnchor = Math.floor((number - anchor) / 7)
    const day = { day: dayOfNumber(number), weekday: weekdayOfNumber(number), weeksSinceAnchor }
    return shiftsOn(institute, rotas, member.id, day).map((shift) => ({
      gridFrom: shift.opensAt,
      closesAt: shift.closesAt,
      free: freeRanges(shift),
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
      if (!found) works.set(key, (found = stretchesOn(position, number)))
      return found
    },
  }
}
