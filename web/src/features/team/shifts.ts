// Shifts as they are written and read: lengths and short texts.
import type { ShiftInput, TeamAbsence, TeamMember } from '@soigne/contract/team'
import { minutesOfDay } from '@soigne/contract/time'
import { weekdays } from '#/contract/closed-lists.ts'

export type Shift = { opensAt: string; closesAt: string; breaks: { opensAt: string; closesAt: string }[] }
export type Week = Record<(typeof weekdays)[number], Shift[]>

export const minutesOf = (wall: string): number => Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3))

/** Minutes between two wall times; what ends no later than it begins ends on the next day. */
function between({ opensAt, closesAt }: { opensAt: string; closesAt: string }): number {
  const length = minutesOf(closesAt) - minutesOf(opensAt)
  return length > 0 ? length : length + minutesOfDay
}

/** Minutes at work, breaks left out. */
export const workMinutes = (shifts: readonly Shift[]): number =>
  shifts.reduce((sum, shift) => sum + between(shift) - shift.breaks.reduce((rest, one) => rest + between(one), 0), 0)

/** A shift whose hours were changed: a break that does not lie within them is none of it any more. */
export function withinHours(shift: Shift): Shift {
  const begins = minutesOf(shift.opensAt)
  const from = (wall: string): number => (minutesOf(wall) - begins + minutesOfDay) % minutesOfDay
  return { ...shift, breaks: shift.breaks.filter((one) => from(one.opensAt) + between(one) <= between(shift)) }
}

/** 9, 9:20. */
const shortWall = (wall: string): string => (wall.endsWith(':00') ? String(Number(wall.slice(0, 2))) : wall.replace(/^0/, ''))

/** 9–19, or 9–12, 14–19. */
export const shiftsText = (shifts: readonly Shift[]): string =>
  shifts.map(({ opensAt, closesAt }) => `${shortWall(opensAt)}–${shortWall(closesAt)}`).join(', ')

export const emptyWeek = (): Week => ({ Monday: [], Tuesday: [], Wednesday: [], Thursday: [], Friday: [], Saturday: [], Sunday: [] })

/** A week as a schema gives it: a day that is left out is a day off. */
export const wholeWeek = (week: Partial<Record<keyof Week, readonly ShiftInput[] | undefined>>): Week => {
  const whole = emptyWeek()
  for (const weekday of weekdays) whole[weekday] = (week[weekday] ?? []).map((shift) => ({ ...shift, breaks: [...shift.breaks] }))
  return whole
}

/** The absence that takes a day. */
export const absenceOn = (member: TeamMember, day: string): TeamAbsence | undefined =>
  member.absences.find((one) => one.part === null && one.fromDay <= day && day <= one.toDay)
