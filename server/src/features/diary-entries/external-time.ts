/** Busy time of other calendars. It overlaps and comes late, so it stands beside the wall: taken for everybody, refused to nobody. */
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { isMember, replaceExternal, type Stretch } from './store.ts'
import { checkStretch, type DiaryScope } from './wall.ts'

export interface ExternalTime extends Stretch {
  memberId: string
  /** The calendar it comes from. */
  sourceId: string
  /** Everything busy there between `startsAt` and `endsAt`. */
  busy: readonly Stretch[]
}

/** More than any calendar has in a year. */
const mostBusy = 20_000

/** Makes what one calendar takes within a stretch what it says now. `alongside` is part of the same change; where it says false there is no such calendar any more, and nothing is done. */
export async function syncExternal(
  context: AppContext,
  scope: DiaryScope,
  asked: ExternalTime,
  alongside: (unit: Unit) => Promise<boolean> = async () => true,
): Promise<{ added: number; removed: number }> {
  const now = context.clock.now()
  const window = checkStretch(asked, now)
  if (asked.busy.length > mostBusy) throw refuse('too_large')
  const busy = asked.busy.map((one) => checkStretch(one, now)).filter((one) => one.startsAt < window.endsAt && one.endsAt > window.startsAt)
  const { memberId, sourceId } = asked
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if (!(await isMember(unit, memberId))) throw refuse('not_found')
    if (!(await alongside(unit))) {
      unit.nothingChanged()
      return { added: 0, removed: 0 }
    }
    const changed = await replaceExternal(unit, { memberId, sourceId, ...window, busy, actor: scope.actor })
    if (changed.added + changed.removed === 0) unit.nothingChanged()
    else unit.record('external.synced', sourceId, { memberId, ...window, ...changed })
    return changed
  })
}
