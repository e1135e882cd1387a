/** Who came, and what the institute notes for itself about a visit. */
import type { DiaryVisit } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { freeLapsed } from '#/features/booking/service.ts'
import { type AppointmentRow, findVisit } from '#/features/visits/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
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

/** @throws wrong_state for a visit that is cancelled, or that nobody could have missed yet */
export async function noteAttendance(context: AppContext, reader: Reader, id: string, attendance: Attendance): Promise<DiaryVisit> {
  const { scope } = reader
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await freeLapsed(unit)
    const row = await bookedVisit(unit, reader, id)
    if (row.life !== 'booked' || (attendance === 'no_show' && parseInstant(row.startsAt) > unit.now)) throw refuse('wrong_state')
    if (row.attendance === attendance) unit.nothingChanged()
    else {
      await giveBack(unit, row, attendance)
      await markAttendance(unit, { id, attendance, attendedAt: attendedAt(row.attendedAt, attendance, instantText(unit.now)) })
      const { startsAt, endsAt, attendance: before } = row
      unit.record('visit.attended', id, { startsAt, endsAt, attendance, before })
    }
    return visitInDiary(unit.db, reader, id, unit.now)
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
