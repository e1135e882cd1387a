/** A break of somebody's shift on one day at another hour: that day has shifts of its own from then on, and the rota stays. */
import { dayNumber } from '@soigne/scheduling/days'
import type { ShiftHours, WallRange } from '@soigne/scheduling/model'
import { dayOf, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { shiftsOn } from '@soigne/scheduling/working-time'
import { shiftsOf } from '#/features/availability/service.ts'
import { freeLapsed } from '#/features/booking/service.ts'
import { checkStretch, findTaken, isMember, type Stretch } from '#/features/diary-entries/service.ts'
import { overrideDay } from '#/features/team/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { minuteOfText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'

interface BreakMoved {
  staffId: string
  from: Stretch
  to: Stretch
}

const isSame = (one: WallRange, other: WallRange): boolean => one.opensAt === other.opensAt && one.closesAt === other.closesAt
const isWithin = (one: WallRange, whole: WallRange): boolean => whole.opensAt < one.opensAt && one.closesAt < whole.closesAt
const overlap = (one: WallRange, other: WallRange): boolean => one.opensAt < other.closesAt && other.opensAt < one.closesAt

/** Without the place in a rota. */
const hoursOf = ({ opensAt, closesAt, breaks }: ShiftHours): ShiftHours => ({ opensAt, closesAt, breaks })

/** The shifts of a day with one break elsewhere: one written into a shift, or the time between two shifts. Null where there is no such break; what cannot stand is refused. */
export function withBreakAt(shifts: readonly ShiftHours[], from: WallRange, to: WallRange): ShiftHours[] | null {
  const inOrder = shifts.toSorted((one, other) => one.opensAt - other.opensAt)
  const own = inOrder.findIndex(({ breaks }) => breaks.some((one) => isSame(one, from)))
  const shift = inOrder[own]
  if (shift) {
    const others = shift.breaks.filter((one) => !isSame(one, from))
    if (!isWithin(to, shift) || others.some((one) => overlap(one, to))) throw refuse('not_offered', { reason: 'outside_shift' })
    const breaks = [...others, to].toSorted((one, other) => one.opensAt - other.opensAt)
    return inOrder.map((one, at) => hoursOf(at === own ? { ...one, breaks } : one))
  }
  const after = inOrder.findIndex(({ opensAt }, at) => opensAt === from.closesAt && inOrder[at - 1]?.closesAt === from.opensAt)
  const [earlier, later] = [inOrder[after - 1], inOrder[after]]
  if (!earlier || !later) return null
  const isHit = [...earlier.breaks, ...later.breaks].some((one) => overlap(one, to))
  if (!isWithin(to, { opensAt: earlier.opensAt, closesAt: later.closesAt }) || isHit)
    throw refuse('not_offered', { reason: 'outside_shift' })
  const cut = { ...earlier, closesAt: to.opensAt }
  return inOrder.map((one, at) => hoursOf(at === after - 1 ? cut : at === after ? { ...one, opensAt: to.closesAt } : one))
}

/** @throws time_taken with what has the new time first, not_offered outside the shift, not_found where no such break is planned */
export async function moveBreak(context: AppContext, scope: InstituteScope<'diary.change'>, { staffId, ...asked }: BreakMoved) {
  const [from, to] = [checkStretch(asked.from, context.clock.now()), checkStretch(asked.to, context.clock.now())]
  const minutes = ({ startsAt, endsAt }: Stretch) => ({ from: minuteOfText(startsAt), to: minuteOfText(endsAt) })
  const [was, will] = [minutes(from), minutes(to)]
  if (will.to - will.from !== was.to - was.from) throw refuseField('to', 'invalid')
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await freeLapsed(unit)
    const [planned] = (await isMember(unit, staffId)) ? await shiftsOf(unit.db, [staffId]) : []
    if (!planned) throw refuse('not_found')
    const day = dayOf(planned.timeZone, was.from)
    if (dayOf(planned.timeZone, will.from) !== day) throw refuseField('to', 'invalid')
    const wall = (one: typeof was): WallRange => {
      const opensAt = wallMinuteOf(planned.timeZone, one.from)
      return { opensAt, closesAt: opensAt + one.to - one.from }
    }
    const shifts = withBreakAt(shiftsOn(planned, dayNumber(day)), wall(was), wall(will))
    if (!shifts) throw refuse('not_found')
    const taken = await findTaken(unit.db, scope, { subjectId: staffId, stretches: [to], now: new Date(unit.now) })
    if (taken.length > 0) throw refuse('time_taken', { taken })
    await overrideDay(unit, { memberId: staffId, day, shifts })
    unit.record('institute.changed', staffId, { what: 'team' })
    return { staffId, ...to }
  })
}
