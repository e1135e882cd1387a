/** Who came, and what the institute notes for itself about a visit. */
import type { DiaryVisit } from '@soigne/contract/diary'
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'
import { changedMeanwhile } from '#/features/appointments/service.ts'
import { makeNoShowFee, withdrawFee } from '#/features/fees/service.ts'
import { freeLapsed, keyOf, type Requester } from '#/features/booking/service.ts'
import { keepMissed, keepMissedNoMore } from '#/features/payments/service.ts'
import { type AppointmentRow, type DiaryReaderScope, findVisit } from '#/features/visits/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { Actor } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { freeRest, markAttendance, takeBackRest, writeOwnNote } from './attendance-store.ts'
import { type Reader, visitInDiary } from './reading.ts'

type Attendance = DiaryVisit['attendance']
/** In the order a visit goes through them. */
const steps: readonly Attendance[] = ['expected', 'arrived', 'in_service', 'done']

/** What was noted so far, up to the step that is noted now: whatever comes after it is taken back. */
function attendedAt(before: AppointmentRow['attendedAt'], step: Attendance, now: string): Partial<Record<Attendance, string>> {
  if (step === 'expected') return {}
  const earlier = step === 'no_show' ? [] : steps.slice(0, steps.indexOf(step))
  return {
    ...Object.fromEntries(earlier.flatMap((one) => (before?.[one] === undefined ? [] : [[one, before[one]]]))),
    [step]: before?.[step] ?? now,
  }
}

const bookedVisit = async (unit: Unit, { scope }: Reader, id: string): Promise<AppointmentRow> => {
  const row = await findVisit(unit.db, scope, { id, lock: true })
  if (!row || row.life === 'held') throw refuse('not_found')
  return row
}

/** Whoever did not come takes no more time: what is left of it can be booked again, and comes back when they come after all. */
async function giveBack(unit: Unit, row: AppointmentRow, to: Attendance): Promise<void> {
  const { id, endsAt } = row
  if (row.attendance === 'no_show') return takeBackRest(unit, id)
  const from = Math.ceil(Math.max(unit.now, parseInstant(row.startsAt)) / minuteMs) * minuteMs
  if (to !== 'no_show' || from >= parseInstant(endsAt)) return
  if (await freeRest(unit, id, new Date(from))) unit.record('visit.settled', id, { freed: [{ startsAt: instantText(from), endsAt }] })
}

/** Who did not come leaves the deposit, and owes what the fee is more; both are taken back where they came after all. */
async function settleMissed(
  unit: Unit,
  row: AppointmentRow,
  { attendance, actor }: { attendance: Attendance; actor: Actor },
): Promise<void> {
  if (attendance === 'no_show') {
    await makeNoShowFee(unit, row)
    await keepMissed(unit, actor, row)
  } else if (row.attendance === 'no_show') {
    await withdrawFee(unit, row.id, actor)
    await keepMissedNoMore(unit, actor, row)
  }
}

/** When it was noted: now, or before on a device without a connection; never in the future, and no longer ago than a day. */
const notedAt = (at: string | undefined, now: Instant): string =>
  instantText(at === undefined ? now : Math.max(now - dayMs, Math.min(now, parseInstant(at))))

export interface AttendanceAsked {
  id: string
  attendance: Attendance
  /** The step that was seen; another one meanwhile is a refusal. */
  was?: Attendance | undefined
  at?: string | undefined
}

/** @throws wrong_state for a visit that is cancelled, or that nobody could have missed yet; changed_meanwhile where another step was noted */
export async function noteAttendance(context: AppContext, who: Requester<DiaryReaderScope>, asked: AttendanceAsked): Promise<DiaryVisit> {
  const { scope } = who
  const { id, attendance, was, at } = asked
  const key = keyOf(who, { call: 'attend', id, attendance })
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope, key }, async (unit) => {
    await freeLapsed(unit)
    const row = await bookedVisit(unit, who, id)
    if (was !== undefined && row.attendance !== was && row.attendance !== attendance) throw await changedMeanwhile(unit.db, scope, row)
    if (row.life !== 'booked' || (attendance === 'no_show' && parseInstant(row.startsAt) > unit.now)) throw refuse('wrong_state')
    if (row.attendance === attendance) unit.nothingChanged()
    else {
      await giveBack(unit, row, attendance)
      await markAttendance(unit, { id, attendance, attendedAt: attendedAt(row.attendedAt, attendance, notedAt(at, unit.now)) })
      const { startsAt, endsAt, attendance: before } = row
      unit.record('visit.attended', id, { startsAt, endsAt, attendance, before })
      await settleMissed(unit, row, { attendance, actor: scope.actor })
    }
    return visitInDiary(unit.db, who, id, unit.now)
  })
}

/** For those who work there alone: no letter, feed or answer to a client has it. */
export async function noteVisit(context: AppContext, reader: Reader, id: string, note: string): Promise<DiaryVisit> {
  const { scope } = reader
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const row = await bookedVisit(unit, reader, id)
    const text = note || null
    if (text === row.ownNote) unit.nothingChanged()
    else {
      await writeOwnNote(unit, id, text)
      unit.record('visit.noted', id, { startsAt: row.startsAt, endsAt: row.endsAt })
    }
    return visitInDiary(unit.db, reader, id, unit.now)
  })
}
