/** When a member works: the rota's week, the override of a day, breaks and absences, on the institute's wall clock. */
import { dayNumber, dayOfNumber, weekdayOfNumber } from './days.ts'
import type { Day, DayOverride, MemberDiary, Rota, ShiftHours } from './model.ts'
import { joinRanges, takesWholeDay, withoutRanges, type WallRanges } from './wall-ranges.ts'

/** The working hours that begin on one day. */
export interface WorkingDay {
  /** Shifts joined where they touch; the grid of starts is anchored at each one's start. */
  readonly shifts: WallRanges
  /** Shifts without their breaks. */
  readonly stretches: WallRanges
}

/** Where the shifts of a member are planned. */
type Planned = Pick<MemberDiary, 'rotas' | 'overrides'>

const OFF: WorkingDay = { shifts: [], stretches: [] }

/** The week 1…4 of a rota that a day falls in, counted from Monday to Sunday and running on across the ends of years. */
export function rotaWeek(rota: Rota, number: number): number {
  const weeks = Math.floor((number - mondayOf(dayNumber(rota.anchorDay))) / 7)
  return (((weeks % rota.weeks) + rota.weeks) % rota.weeks) + 1
}

function mondayOf(number: number): number {
  return number - (weekdayOfNumber(number) - 1)
}

/** The rota that counts on a day: of those valid the one with the latest `validFrom`. */
export function rotaOn(member: Pick<MemberDiary, 'rotas'>, day: Day): Rota | undefined {
  let chosen: Rota | undefined
  for (const rota of member.rotas) {
    if (rota.validFrom !== undefined && day < rota.validFrom) continue
    if (rota.validTo !== undefined && rota.validTo < day) continue
    if (chosen === undefined || (rota.validFrom ?? '') >= (chosen.validFrom ?? '')) chosen = rota
  }
  return chosen
}

/** The shifts planned for a member on a day, before absences and closures. */
export function shiftsOn(member: Planned, number: number): readonly ShiftHours[] {
  const day = dayOfNumber(number)
  return overrideOn(member, day)?.shifts ?? rotaShiftsOn(member, number, day)
}

function overrideOn(member: Planned, day: Day): DayOverride | undefined {
  return member.overrides.length === 0 ? undefined : member.overrides.findLast((one) => one.day === day)
}

function rotaShiftsOn(member: Planned, number: number, day: Day): readonly ShiftHours[] {
  const rota = rotaOn(member, day)
  if (rota === undefined) return []
  const week = rotaWeek(rota, number)
  const weekday = weekdayOfNumber(number)
  return rota.shifts.filter((shift) => shift.week === week && shift.weekday === weekday)
}

/** The working hours that the rota or an override plans for a day, whatever absences and closures say. */
export function plannedDay(member: Planned, number: number): WorkingDay {
  return joinShifts(shiftsOn(member, number))
}

function joinShifts(planned: readonly ShiftHours[]): WorkingDay {
  if (planned.length === 0) return OFF
  const shifts = joinRanges(planned)
  return { shifts, stretches: withoutRanges(shifts, joinRanges(planned.flatMap((shift) => shift.breaks))) }
}

/**
 * Reads a member's working hours day after day: none where an absence takes the whole day, parts taken are still in.
 * The days of a rota repeat, so each is worked out once.
 */
export function workingDays(member: MemberDiary): (number: number, day: Day) => WorkingDay {
  const known = new Map<Rota, { readonly monday: number; readonly days: WorkingDay[] }>()
  return (number, day) => {
    if (takesWholeDay(member.absences, day)) return OFF
    const override = overrideOn(member, day)
    if (override !== undefined) return joinShifts(override.shifts)
    const rota = rotaOn(member, day)
    if (rota === undefined) return OFF
    let repeating = known.get(rota)
    if (repeating === undefined) known.set(rota, (repeating = { monday: mondayOf(dayNumber(rota.anchorDay)), days: [] }))
    const length = rota.weeks * 7
    const turn = (((number - repeating.monday) % length) + length) % length
    return (repeating.days[turn] ??= joinShifts(rotaShiftsOn(member, number, day)))
  }
}
