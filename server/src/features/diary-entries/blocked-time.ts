/** Time that an institute keeps for itself: a lunch, a meeting, a machine under repair. */
import type { BlockedKind } from '@soigne/contract/diary'
import { columnOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type BlockedTime, blockTimeOf, findBlock, isMember, moveBlock, removeBlock, type Stretch, type Subject } from './store.ts'
import { changeWithinWall, checkStretch, type ColumnScope } from './wall.ts'

export interface TimeToBlock extends Stretch {
  subject: Subject
  /** Named beside a resource, whose time alone is kept free. */
  besideId?: string | undefined
  kind?: BlockedKind | undefined
  note?: string | undefined
}

const told = ({ subjectKind, subjectId, startsAt, endsAt, kind, note }: BlockedTime) => ({
  subjectKind,
  subjectId,
  startsAt,
  endsAt,
  kind,
  note,
})

/** Who sees one column alone keeps time of that one free. */
function checkOwn(scope: ColumnScope, { kind, id }: Subject): void {
  const own = columnOf(scope)
  if (own !== null && (kind !== 'member' || id !== own)) throw refuse('not_found')
}

/** @throws time_taken with what is in the way, not_found for a member or a resource of somebody else */
export async function blockTime(context: AppContext, scope: ColumnScope, asked: TimeToBlock): Promise<BlockedTime> {
  const stretch = checkStretch(asked, context.clock.now())
  const { subject, kind = 'other' } = asked
  checkOwn(scope, subject)
  const note = asked.note || null
  const wanted = { subjectId: subject.id, stretches: () => [stretch] }
  return changeWithinWall(context, scope, wanted, async (unit) => {
    if (asked.besideId !== undefined && !(await isMember(unit, asked.besideId))) throw refuse('not_found')
    const id = await blockTimeOf(unit, { subject, ...stretch, kind, note, actor: scope.actor })
    if (id === null) throw refuse('not_found')
    const blocked: BlockedTime = { id, subjectKind: subject.kind, subjectId: subject.id, ...stretch, kind, note }
    unit.record('time.blocked', id, told(blocked))
    return blocked
  })
}

export interface BlockMoved extends Stretch {
  memberId?: string | undefined
  kind?: BlockedKind | undefined
  note?: string | undefined
}
/** To another time, or to another member. @throws time_taken: what is booked or held first stays */
export async function moveBlockedTime(context: AppContext, scope: ColumnScope, id: string, to: BlockMoved): Promise<BlockedTime> {
  const stretch = checkStretch(to, context.clock.now())
  const wanted = { subjectId: '', stretches: () => [stretch], inTheWay: (taken: { id: string }) => taken.id !== id }
  return changeWithinWall(context, scope, wanted, async (unit) => {
    const before = await findBlock(unit, id)
    if (!before) throw refuse('not_found')
    checkOwn(scope, { kind: before.subjectKind, id: before.subjectId })
    const { memberId, kind = before.kind, note } = to
    if (memberId !== undefined) {
      if (before.subjectKind === 'resource') throw refuseField('staffId', 'invalid')
      checkOwn(scope, { kind: 'member', id: memberId })
      if (!(await isMember(unit, memberId))) throw refuse('not_found')
    }
    const after = {
      ...before,
      ...stretch,
      subjectId: memberId ?? before.subjectId,
      kind,
      note: note === undefined ? before.note : note || null,
    }
    wanted.subjectId = after.subjectId
    await moveBlock(unit, id, after)
    unit.record('time.unblocked', id, told(before))
    unit.record('time.blocked', id, told(after))
    return after
  })
}

export const unblockTime = (context: AppContext, scope: ColumnScope, id: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const blocked = await findBlock(unit, id)
    if (!blocked) throw refuse('not_found')
    checkOwn(scope, { kind: blocked.subjectKind, id: blocked.subjectId })
    await removeBlock(unit, id)
    unit.record('time.unblocked', id, told(blocked))
  })
