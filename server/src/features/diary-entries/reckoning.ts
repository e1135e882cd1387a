/** What absences take in instants. Zones are converted here and nowhere else; what has become untrue is marked by the statement that made it so. */
import type { Span } from '@soigne/scheduling/model'
import { leaveSpans } from '@soigne/scheduling/leave'
import { minuteText } from '#/platform/instants.ts'
import { type MemberShifts, shiftsOf } from '#/features/availability/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { institutesWithMarkedLeave, keepLeaveTimes, type LeaveTimes, takeLeaveMarks } from './leave-store.ts'
import type { Stretch } from './store.ts'

const system = systemScope('reckon leave')
/** One run of the job does no more, so that others get their turn. */
const mostInstitutes = 500

export const stretchesOf = (spans: readonly Span[]): Stretch[] =>
  spans.map(({ from, to }) => ({ startsAt: minuteText(from), endsAt: minuteText(to) }))

/** What each absence of a member takes. */
export const leaveTimesOf = (member: MemberShifts): LeaveTimes[] =>
  member.absences.map((absence, at) => ({
    absenceId: member.absenceIds[at] ?? '',
    memberId: member.memberId,
    during: `{${leaveSpans(member.timeZone, member, absence)
      .map(({ from, to }) => `[${minuteText(from)},${minuteText(to)})`)
      .join()}}`,
  }))

/** Notes what these absences take, under the lock of the diary. */
export const keepTimes = (transaction: Db, instituteId: string, times: readonly LeaveTimes[]): Promise<void> =>
  keepLeaveTimes(transaction, system, { instituteId, times })

/** Reckons the leave of an institute that was marked, under the lock of its diary. */
export async function reckonMarkedLeave(transaction: Db, instituteId: string): Promise<void> {
  const members = await takeLeaveMarks(transaction, system, instituteId)
  if (members.length === 0) return
  await keepTimes(transaction, instituteId, (await shiftsOf(transaction, members)).flatMap(leaveTimesOf))
}

/** Reckons leave that was changed past us, or was there before: what a change of the institute does anyway. */
export async function reckonAllLeave(context: AppContext): Promise<void> {
  for (const instituteId of await institutesWithMarkedLeave(context.database.db, system, mostInstitutes))
    await changeInstitute(context, { instituteId, by: system }, async (unit) => unit.record('institute.changed', null, { what: 'leave' }))
}
