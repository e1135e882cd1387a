/** Changing one's mind: moving a visit and cancelling it, within the terms that were accepted. */
import type { Appointment } from '@soigne/contract/appointments'
import { daysWithTimes } from '#/features/availability/service.ts'
import {
  type Agreed,
  type AppointmentRow,
  diaryForMove,
  factsOf,
  findOwn,
  freeTime,
  insertPlan,
  keyOf,
  markCancelled,
  markMoved,
  mayCancel,
  mayMove,
  planFor,
  readStart,
  removePlan,
  type Requester,
  rowsOf,
  segmentsOf,
  stepFrom,
  sweepInstitute,
  termsAfterMove,
  type VisitRequest,
  withNearest,
} from '#/features/booking/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitByKey } from '#/platform/concurrency-by-key.ts'
import { brokenConstraint, type Db, sqlState } from '#/platform/database.ts'
import { type Refusal, refuse } from '#/platform/refuse.ts'
import { visitForWire, visitShown } from './service.ts'

interface Own {
  id: string
  userId: string
}

/** A crowd at one institute waits here for its lock, not on connections that everybody else needs. */
const atInstitute = limitByKey(3)

async function ownVisit(db: Db, own: Own, lock: boolean): Promise<AppointmentRow> {
  const row = await findOwn(db, { ...own, lock })
  if (!row || row.status === 'held') throw refuse('not_found')
  return row
}

const timesOf = ({ startsAt, endsAt }: AppointmentRow) => ({ startsAt, endsAt })

export async function cancelVisit(context: AppContext, who: Requester, id: string, reason: string | null): Promise<Appointment> {
  const own = { id, userId: who.scope.userId }
  const { instituteId } = await ownVisit(context.database.prepared, own, false)
  const change = { instituteId, actor: { kind: 'client' as const, userId: own.userId }, key: keyOf(who, { call: 'cancel', id, reason }) }
  return changeInstitute(context, change, async (unit) => {
    const row = await ownVisit(unit.db, own, true)
    if (!stepFrom('cancel', row.status, 'client') || Date.parse(row.startsAt) <= unit.now) throw refuse('wrong_state')
    if (!mayCancel(row.terms, unit.now)) throw refuse('too_late', { phone: row.institutePhone })
    await markCancelled(unit, { id, by: 'client', reason, now: new Date(unit.now) })
    await freeTime(unit, id)
    unit.record('visit.cancelled', id, { ...timesOf(row), by: 'client', reason })
    return visitForWire(await visitShown(unit.db, own), who.locale, unit.now)
  })
}

function checkMove(row: AppointmentRow, now: number): void {
  if (!stepFrom('move', row.status, 'client') || Date.parse(row.startsAt) <= now) throw refuse('wrong_state')
  if (!mayMove(row.terms, Date.parse(row.startsAt), now)) throw refuse('too_late', { phone: row.institutePhone })
}

/** Prices and names as agreed, by line of the cart. */
async function agreedOf(db: Db, id: string): Promise<Map<number, Agreed>> {
  const old = (await segmentsOf(db, [id])).get(id) ?? []
  return new Map(old.map(({ snapshot, position, priceAmount }) => [snapshot.line ?? position, { name: snapshot.name, priceAmount }]))
}

/** Another booking won the race after the plan was made: the constraint is the last wall. */
const lostRace = (error: unknown): boolean => sqlState(error) === '23P01' && brokenConstraint(error) === 'occupations_apart'

/** Moves a visit: same services and members asked for, prices as agreed, its own time counted as free. */
export async function moveVisit(context: AppContext, who: Requester, id: string, startsAtText: string): Promise<Appointment> {
  const { prepared: db } = context.database
  const now = context.clock.now()
  const own = { id, userId: who.scope.userId }
  const seen = await ownVisit(db, own, false)
  const { instituteId } = seen
  const request: VisitRequest = { instituteId, cart: seen.cart, startsAt: readStart(startsAtText, now), ignoreAppointmentId: id }
  const client = await factsOf(db, await diaryForMove(db, request, now), request, own.userId, now)
  const work = async (unit: Unit): Promise<Appointment> => {
    const row = await ownVisit(unit.db, own, true)
    checkMove(row, now)
    const loaded = await diaryForMove(unit.db, request, unit.now)
    const answer = planFor(loaded, request, client, unit.now, who.locale)
    if (!answer.ok) throw answer.refusal
    const agreed = await agreedOf(unit.db, id)
    await removePlan(unit, id)
    await insertPlan(unit, id, rowsOf({ loaded, plan: answer.plan }, agreed))
    const [startsAt, endsAt] = [new Date(request.startsAt), new Date(answer.plan.endsAt * 60_000)]
    await markMoved(unit, { id, startsAt, endsAt, terms: termsAfterMove(row.terms, request.startsAt, now) })
    unit.record('visit.moved', id, { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), before: timesOf(row) })
    return visitForWire(await visitShown(unit.db, own), who.locale, unit.now)
  }
  const key = keyOf(who, { call: 'move', id, startsAt: request.startsAt })
  const move = async (): Promise<Appointment> => {
    // Rows of holds that have run out still stand in the way of the constraint.
    await sweepInstitute(context, instituteId)
    return changeInstitute(context, { instituteId, actor: { kind: 'client', userId: own.userId }, key }, work)
  }
  try {
    return await atInstitute(instituteId, move)
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered') throw await withNearest(context, refusal as Refusal, request, client, now)
    throw refusal
  }
}

/** Free starts this visit could move to. */
export async function timesToMoveTo(context: AppContext, who: Requester, id: string, query: { from?: string | undefined; days: number }) {
  const { db } = context.database
  const now = context.clock.now()
  const row = await ownVisit(db, { id, userId: who.scope.userId }, false)
  checkMove(row, now)
  await diaryForMove(db, { instituteId: row.instituteId, cart: row.cart, startsAt: now, ignoreAppointmentId: id }, now)
  return daysWithTimes(db, {
    instituteId: row.instituteId,
    cart: row.cart.map(({ serviceId, staffId }) => (staffId && staffId !== 'any' ? { serviceId, memberId: staffId } : { serviceId })),
    now,
    days: query.days,
    ignoreAppointmentId: id,
    ...(query.from && { from: query.from }),
  })
}
