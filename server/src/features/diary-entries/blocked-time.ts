/** Time that an institute keeps for itself: a lunch, a meeting, a machine under repair. */
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type BlockedTime, blockTimeOf, findBlock, moveBlock, removeBlock, type Stretch, type Subject } from './store.ts'
import { changeWithinWall, checkStretch, type DiaryScope } from './wall.ts'

export interface TimeToBlock extends Stretch {
  subject: Subject
  note?: string | undefined
}

const told = ({ subjectKind, subjectId, startsAt, endsAt, note }: BlockedTime) => ({ subjectKind, subjectId, startsAt, endsAt, note })

/** @throws time_taken with what is in the way, not_found for a member or a resource of somebody else */
export async function blockTime(context: AppContext, scope: DiaryScope, asked: TimeToBlock): Promise<BlockedTime> {
  const stretch = checkStretch(asked, context.clock.now())
  const { subject } = asked
  const note = asked.note || null
  const wanted = { subjectId: subject.id, stretches: () => [stretch] }
  return changeWithinWall(context, scope, wanted, async (unit) => {
    const id = await blockTimeOf(unit, { subject, ...stretch, note, actor: scope.actor })
    if (id === null) throw refuse('not_found')
    const blocked: BlockedTime = { id, subjectKind: subject.kind, subjectId: subject.id, ...stretch, note }
    unit.record('time.blocked', id, told(blocked))
    return blocked
  })
}

/** To another time of the same member or resource. @throws time_taken: what is booked or held first stays */
export async function moveBlockedTime(context: AppContext, scope: DiaryScope, id: string, to: Stretch): Promise<BlockedTime> {
  const stretch = checkStretch(to, context.clock.now())
  const wanted = { subjectId: '', stretches: () => [stretch], inTheWay: (taken: { id: string }) => taken.id !== id }
  return changeWithinWall(context, scope, wanted, async (unit) => {
    const before = await findBlock(unit, id)
    if (!before) throw refuse('not_found')
    wanted.subjectId = before.subjectId
    const after = { ...before, ...stretch }
    await moveBlock(unit, id, stretch)
    unit.record('time.unblocked', id, told(before))
    unit.record('time.blocked', id, told(after))
    return after
  })
}

export const unblockTime = (context: AppContext, scope: DiaryScope, id: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const blocked = await findBlock(unit, id)
    if (!blocked) throw refuse('not_found')
    await removeBlock(unit, id)
    unit.record('time.unblocked', id, told(blocked))
  })
