/** Asking for days off, and answering: agreeing marks the member away as the team's page does, in the same change. The first answer counts. */
import { farthestLeaveDays, longestLeaveDays, type OpenLeaveRequest, type OwnLeaveRequest } from '@soigne/contract/leave-requests'
import type { LeaveKind, MetVisit } from '@soigne/contract/team'
import { minuteOf } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { setAvailability } from '#/features/team/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import {
  type AnsweringScope,
  type AskingScope,
  findRequest,
  type FoundRow,
  insertRequest,
  isTaken,
  listOpen,
  listOwn,
  removeRequest,
  writeAnswer,
  zoneOf,
} from './store.ts'

async function todayOf(db: Db, scope: AskingScope | AnsweringScope, now: number): Promise<{ today: string; timeZone: string }> {
  const timeZone = await zoneOf(db, scope)
  return { timeZone, today: dayOf(timeZone, minuteOf(now)) }
}

export interface OwnRequests {
  items: OwnLeaveRequest[]
  isMember: boolean
  today: string
  timeZone: string
}
export async function ownRequestsOf({ database: { db }, clock }: AppContext, scope: AskingScope): Promise<OwnRequests> {
  const { today, timeZone } = await todayOf(db, scope, clock.now())
  const rows = scope.memberId === null ? [] : await listOwn(db, scope, scope.memberId)
  const items = rows.map(({ id, state, ...row }): OwnLeaveRequest => {
    return { _id: id, ...row, state: state === 'asked' && row.toDay < today ? 'lapsed' : state }
  })
  return { items, isMember: scope.memberId !== null, today, timeZone }
}

function checkDays({ fromDay, toDay }: { fromDay: string; toDay: string }, today: string): void {
  if (fromDay < today) throw refuseField('fromDay', 'past')
  if (fromDay > addDays(today, farthestLeaveDays)) throw refuseField('fromDay', 'date')
  if (toDay < fromDay || toDay >= addDays(fromDay, longestLeaveDays)) throw refuseField('toDay', 'date')
}

export interface LeaveWanted {
  kind: LeaveKind
  fromDay: string
  toDay: string
  note?: string | undefined
}
/** @throws no_member, leave_overlaps */
export async function askForLeave(context: AppContext, scope: AskingScope, asked: LeaveWanted): Promise<{ _id: string }> {
  const { memberId, instituteId } = scope
  if (memberId === null) throw refuse('no_member')
  const { today } = await todayOf(context.database.db, scope, context.clock.now())
  checkDays(asked, today)
  const { kind, fromDay, toDay } = asked
  const request = { memberId, kind, fromDay, toDay, note: asked.note || null }
  try {
    return await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
      if (await isTaken(unit, request)) throw refuse('leave_overlaps')
      const id = await insertRequest(unit, request)
      if (id === null) throw refuse('no_member')
      unit.record('leave.asked', id, { memberId, kind, fromDay, toDay })
      return { _id: id }
    })
  } catch (error) {
    if (brokenConstraint(error) === 'leave_requests_apart') throw refuse('leave_overlaps')
    throw error
  }
}

const answeredBefore = ({ state, answeredBy }: FoundRow, somebody: string) =>
  refuse('request_answered', { by: answeredBy, state }, { values: { by: answeredBy ?? somebody } })

/** @throws not_found, request_answered; `somebody` stands for who has no account any more */
export const withdrawRequest = (context: AppContext, scope: AskingScope, id: string, somebody: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const { memberId } = scope
    const request = memberId === null ? null : await findRequest(unit.db, scope, id)
    if (memberId === null || request?.memberId !== memberId) throw refuse('not_found')
    if (!(await removeRequest(unit, { id, memberId }))) throw answeredBefore(request, somebody)
    const { kind, fromDay, toDay } = request
    unit.record('leave.withdrawn', id, { memberId, kind, fromDay, toDay })
  })

const leaveOf = ({ kind, fromDay, toDay, note }: Pick<FoundRow, 'kind' | 'fromDay' | 'toDay' | 'note'>) => ({
  status: kind,
  fromDay,
  toDay,
  ...(note !== null && { note }),
})

export async function openRequestsOf(context: AppContext, scope: AnsweringScope): Promise<{ items: OpenLeaveRequest[]; timeZone: string }> {
  const { db } = context.database
  const { today, timeZone } = await todayOf(db, scope, context.clock.now())
  const items: OpenLeaveRequest[] = []
  for (const { id, memberId, ...row } of await listOpen(db, scope, today)) {
    const { appointments } = await setAvailability(context, scope, memberId, leaveOf(row), { isDryRun: true })
    items.push({ _id: id, staffId: memberId, ...row, appointments })
  }
  return { items, timeZone }
}

export type Answer = { answer: 'agreed' } | { answer: 'declined'; reason: string }

/** @throws not_found, request_answered */
export async function answerRequest(
  context: AppContext,
  scope: AnsweringScope,
  id: string,
  given: Answer & { somebody: string },
): Promise<{ appointments: MetVisit[] }> {
  const request = await findRequest(context.database.db, scope, id)
  if (!request) throw refuse('not_found')
  const { memberId, kind, fromDay, toDay } = request
  const userId = scope.actor.kind === 'institute' ? scope.actor.userId : null
  const reason = given.answer === 'declined' ? given.reason : null
  const note = async (unit: Unit): Promise<void> => {
    if (!(await writeAnswer(unit, { id, state: given.answer, reason, userId }))) {
      const now = await findRequest(unit.db, scope, id)
      throw now ? answeredBefore(now, given.somebody) : refuse('not_found')
    }
    unit.record('leave.answered', id, { memberId, kind, fromDay, toDay, answer: given.answer, reason })
  }
  if (given.answer === 'agreed') {
    const { appointments } = await setAvailability(context, scope, memberId, leaveOf(request), { isDryRun: false, alongside: note })
    return { appointments }
  }
  await changeInstitute(context, { instituteId: scope.instituteId, by: scope }, note)
  return { appointments: [] }
}
