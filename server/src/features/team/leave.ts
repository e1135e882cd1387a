/** Members marked away or there again, and single days that are not as the rota says. */
import type { ShiftInput, TeamAbsence } from '@soigne/contract/team'
import { minutesOfRange, minutesOfShift } from '@soigne/contract/team'
import { type Alongside, leaveHits, setLeave } from '#/features/diary-entries/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { cutLeave, isOfTeam, overrideDay } from './leave-store.ts'
import { findMember } from './member-store.ts'
import { metVisit, outsideShifts } from './outside.ts'
import type { TeamScope } from './team-store.ts'

export interface AvailabilityAsked {
  status: 'available' | TeamAbsence['kind']
  fromDay: string
  toDay: string
  part?: { opensAt: string; closesAt: string } | undefined
  note?: string | undefined
}
type Answered = Pick<AvailabilityAsked, 'status' | 'fromDay' | 'toDay'> & { appointments: ReturnType<typeof metVisit>[] }

/** Takes every absence of these days back; what reaches beyond them stays beyond them. */
async function markThere(context: AppContext, scope: TeamScope, memberId: string, { fromDay, toDay }: AvailabilityAsked): Promise<void> {
  await changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if (!(await findMember(unit, memberId))) throw refuse('not_found')
    const cut = await cutLeave(unit, { memberId, fromDay, toDay })
    for (const { id, ...absence } of cut) unit.record('leave.removed', id, { ...absence, memberId })
    if (cut.length === 0) unit.nothingChanged()
  })
}

/** At once; visits that are hit stay until somebody decides about them. @throws not_found for a member of somebody else */
export async function setAvailability(
  context: AppContext,
  scope: TeamScope,
  memberId: string,
  asked: AvailabilityAsked,
  { isDryRun, alongside }: { isDryRun: boolean; alongside?: Alongside },
): Promise<Answered> {
  const { status, fromDay, toDay } = asked
  if (toDay < fromDay) throw refuseField('toDay', 'date')
  if (!(await isOfTeam(context.database.db, scope, memberId))) throw refuse('not_found')
  const answer = { status, fromDay, toDay, appointments: [] }
  if (status === 'available') {
    if (!isDryRun) await markThere(context, scope, memberId, asked)
    return answer
  }
  const leave = {
    memberId,
    kind: status,
    fromDay,
    toDay,
    keepsVisits: true,
    ...(asked.part && { part: minutesOfRange(asked.part) }),
    ...(asked.note && { note: asked.note }),
  }
  const hits = isDryRun ? await leaveHits(context, scope, leave) : (await setLeave(context, scope, leave, alongside)).hits
  const appointments = hits.flatMap(({ kind, ...hit }) =>
    kind === 'visit' || kind === 'hold' || kind === 'session' ? [metVisit({ ...hit, kind })] : [],
  )
  return { ...answer, appointments }
}

/** The shifts of one day instead of those of the rota; null gives the day back. @throws not_found, bad_input for a day after their last */
export const setDayShifts = (
  context: AppContext,
  scope: TeamScope,
  memberId: string,
  { day, shifts }: { day: string; shifts: readonly ShiftInput[] | null },
) =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const member = await findMember(unit, memberId)
    if (!member) throw refuse('not_found')
    if (shifts && shifts.length > 0 && member.lastDay !== null && day > member.lastDay) throw refuseField('day', 'date')
    await overrideDay(unit, { memberId, day, shifts: shifts && shifts.map(minutesOfShift) })
    unit.record('institute.changed', memberId, { what: 'team' })
    return { outside: await outsideShifts(unit, scope, memberId) }
  })
