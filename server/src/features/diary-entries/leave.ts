/** Members going away. A holiday is not made past a visit; sick leave cannot be refused, so it takes what is free and answers the visits it hits. */
import type { DayRange } from '@soigne/scheduling/model'
import { leaveSpans } from '@soigne/scheduling/leave'
import { minutesOfDay } from '@soigne/contract/time'
import { type MemberShifts, shiftsOf } from '#/features/availability/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { type Absence, insertAbsence, removeAbsence, takeLeaveStrictly } from './leave-store.ts'
import { keepTimes, leaveTimesOf, stretchesOf } from './reckoning.ts'
import { findTaken, type Stretch, type Taken } from './store.ts'
import { changeWithinWall, type DiaryScope } from './wall.ts'

export interface LeaveAsked {
  memberId: string
  kind: Absence['kind']
  /** Days of the institute's calendar, both included. */
  fromDay: string
  toDay: string
  /** Wall minutes of each day; whole days when absent. */
  part?: { opensAt: number; closesAt: number } | undefined
  note?: string | undefined
  /** Whether visits stay where they are and are answered; otherwise they stand in the way. Sick leave keeps them unless told otherwise. */
  keepsVisits?: boolean | undefined
}

export interface LeaveSet {
  id: string
  /** Visits, holds and sessions that stay until somebody decides about them. */
  hits: Taken[]
}

/** Leave takes nothing from these, but it does not have to either. */
const isHit = ({ kind }: Taken): boolean => kind !== 'blocked' && kind !== 'leave'

function checkDay(field: string, text: string): string {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
  } catch {
    throw refuseField(field, 'date')
  }
}

function checkLeave({ fromDay, toDay, part }: LeaveAsked): DayRange {
  const days = { fromDay: checkDay('fromDay', fromDay), toDay: checkDay('toDay', toDay) }
  if (days.toDay < days.fromDay) throw refuseField('toDay', 'date')
  if (part && !(part.opensAt >= 0 && part.opensAt < minutesOfDay && part.closesAt > part.opensAt && part.closesAt <= 2 * minutesOfDay))
    throw refuseField('part', 'invalid')
  return part ? { ...days, part } : days
}

async function memberOf(db: Db, scope: DiaryScope, memberId: string): Promise<MemberShifts> {
  const [member] = await shiftsOf(db, [memberId])
  if (member?.instituteId !== scope.instituteId) throw refuse('not_found')
  return member
}

/** What a member's going away would hit, without going. */
export async function leaveHits(context: AppContext, scope: DiaryScope, asked: LeaveAsked): Promise<Taken[]> {
  const range = checkLeave(asked)
  const { db } = context.database
  const member = await memberOf(db, scope, asked.memberId)
  const spans = leaveSpans(member.timeZone, { ...member, absences: [...member.absences, range] }, range)
  const now = new Date(context.clock.now())
  return (await findTaken(db, scope, { subjectId: asked.memberId, stretches: stretchesOf(spans), now })).filter(isHit)
}

/** Writes the absence and takes its time: strictly, or what is free of it. Other leave of the member is reckoned with it, as the one may end where the other begins. */
async function takeTime(unit: Unit, id: string, member: MemberShifts, strictly: boolean): Promise<void> {
  const times = leaveTimesOf(member)
  const own = times.filter(({ absenceId }) => absenceId === id)
  const others = times.filter(({ absenceId }) => absenceId !== id)
  await keepTimes(unit.db, unit.instituteId, others)
  for (const one of strictly ? own : []) await takeLeaveStrictly(unit, one)
  await keepTimes(unit.db, unit.instituteId, own)
}

/** What belongs to the same change, such as the answer to who asked for these days; what it refuses is not done. */
export type Alongside = (unit: Unit) => Promise<void>

/** @throws time_taken with the visits in the way, where leave does not keep them; not_found for a member of somebody else */
export async function setLeave(context: AppContext, scope: DiaryScope, asked: LeaveAsked, alongside?: Alongside): Promise<LeaveSet> {
  const range = checkLeave(asked)
  const { memberId, kind } = asked
  const keepsVisits = asked.keepsVisits ?? kind === 'sick_leave'
  const { fromDay, toDay } = range
  const absence: Absence = { memberId, kind, fromDay, toDay, opensAt: range.part?.opensAt ?? null, closesAt: range.part?.closesAt ?? null }
  let stretches: Stretch[] = []
  return changeWithinWall(
    context,
    scope,
    { subjectId: memberId, stretches: () => stretches, inTheWay: isHit, keepsVisits },
    async (unit) => {
      await alongside?.(unit)
      const id = await insertAbsence(unit, { ...absence, note: asked.note || null })
      if (id === null) throw refuse('not_found')
      const member = await memberOf(unit.db, scope, memberId)
      stretches = stretchesOf(leaveSpans(member.timeZone, member, range))
      await takeTime(unit, id, member, !keepsVisits)
      const hits = (await findTaken(unit.db, scope, { subjectId: memberId, stretches, now: new Date(unit.now) })).filter(isHit)
      unit.record('leave.set', id, { ...absence, visits: hits.filter((one) => one.kind === 'visit').map((one) => one.id) })
      return { id, hits }
    },
  )
}

export const removeLeave = (context: AppContext, scope: DiaryScope, id: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const absence = await removeAbsence(unit, id)
    if (!absence) throw refuse('not_found')
    unit.record('leave.removed', id, absence)
  })
