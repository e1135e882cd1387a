/** Visits that shifts no longer cover: they stay, and whoever changed the shifts is told. */
import type { MetVisit } from '@soigne/contract/team'
import { dayNumber } from '@soigne/scheduling/days'
import type { Span } from '@soigne/scheduling/model'
import { dayOf, edgeAt, zoneClock } from '@soigne/scheduling/wall-clock'
import { plannedDay } from '@soigne/scheduling/working-time'
import { type MemberShifts, shiftsOf } from '#/features/availability/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { minuteOfText } from '#/platform/instants.ts'
import { type AheadRow, aheadOf } from './ahead-store.ts'
import type { TeamScope } from './team-store.ts'

/** The stretches somebody works around an instant, breaks left out; a night shift reaches into the next day. */
function stretchesAround(shifts: MemberShifts, at: number): Span[] {
  const clock = zoneClock(shifts.timeZone)
  const number = dayNumber(dayOf(shifts.timeZone, at))
  return [number - 1, number].flatMap((one) => {
    const { stretches } = plannedDay(shifts, one)
    return Array.from({ length: stretches.length / 2 }, (_, i) => ({
      from: edgeAt(clock, one, stretches[2 * i] ?? 0),
      to: edgeAt(clock, one, stretches[2 * i + 1] ?? 0),
    }))
  })
}

/** Whether every part of a visit lies within shifts. */
const isCovered = (shifts: MemberShifts, { parts }: AheadRow): boolean =>
  parts.every(([startsAt, endsAt]) => {
    const [from, to] = [minuteOfText(startsAt), minuteOfText(endsAt)]
    return stretchesAround(shifts, from).some((one) => one.from <= from && to <= one.to)
  })

export const metVisit = ({ id, kind, startsAt, endsAt, customer }: Omit<AheadRow, 'parts'>): MetVisit => ({
  _id: id,
  kind,
  startsAt,
  endsAt,
  customer,
})

/** What a member has ahead outside their shifts. Absences are another matter: who set one was told. */
export async function outsideShifts(unit: Unit, scope: TeamScope, memberId: string): Promise<MetVisit[]> {
  const [shifts] = await shiftsOf(unit.db, [memberId])
  if (!shifts) return []
  const ahead = await aheadOf(unit.db, scope, { memberId, from: new Date(unit.now), now: new Date(unit.now) })
  return ahead.filter((one) => !isCovered(shifts, one)).map(metVisit)
}
