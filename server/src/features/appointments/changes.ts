/** Changing one's mind: moving a visit and cancelling it, within the terms that were accepted. */
import type { Appointment } from '@soigne/contract/appointments'
import { daysWithTimes } from '#/features/availability/service.ts'
import { refreshAvailabilityIndex } from '#/features/summary/service.ts'
import type { Db } from '#/platform/database.ts'
import { withIdempotency } from '#/platform/idempotency.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Refusal, refuse } from '#/platform/refuse.ts'
import { tellCancelled, tellMoved } from './letters.ts'
import { diaryAround, factsOf, planFor, readStart, rowsOf, subjectsOf, type Wish, withNearest } from './planning.ts'
import { atInstitute } from './keyed-mutex.ts'
import { keyOf, lostRace, visitForWire, visitShown, type Who } from './service.ts'
import { stepFrom } from './state-graph.ts'
import { freeTime, insertPlan, lockSubjects, markCancelled, markMoved, removePlan, sweepExpiredHolds } from './store.ts'
import { mayCancel, mayMove, termsAfterMove } from './terms.ts'
import { type AppointmentRow, findOwn, segmentsOf } from './visit-store.ts'

interface Own {
  id: string
  userId: string
}

async function ownVisit(db: Db, own: Own, lock: boolean): Promise<AppointmentRow> {
  const row = await findOwn(db, { ...own, lock })
  if (!row || row.status === 'held') throw refuse('not_found')
  return row
}

export async function cancelVisit(context: AppContext, who: Who, id: string, reason: string | null): Promise<Appointment> {
  const now = context.clock.now()
  const own = { id, userId: who.scope.userId }
  return withIdempotency(context.database.prepared, keyOf(who, { call: 'cancel', id, reason }), async (transaction) => {
    const row = await ownVisit(transaction, own, true)
    if (!stepFrom('cancel', row.status, 'client') || Date.parse(row.startsAt) <= now) throw refuse('wrong_state')
    if (!mayCancel(row.terms, now)) throw refuse('too_late', { phone: row.institutePhone })
    await markCancelled(transaction, { id, by: 'client', reason, now: new Date(now) })
    await freeTime(transaction, id)
    const visit = await visitShown(transaction, own)
    await tellCancelled(context, transaction, visit)
    await refreshAvailabilityIndex(transaction, row.instituteId, now)
    return visitForWire(visit, who.locale, now)
  })
}

function checkMove(row: AppointmentRow, now: number): void {
  if (!stepFrom('move', row.status, 'client') || Date.parse(row.startsAt) <= now) throw refuse('wrong_state')
  if (!mayMove(row.terms, Date.parse(row.startsAt), now)) throw refuse('too_late', { phone: row.institutePhone })
}

/** Moves a visit: same services and wishes, prices as agreed, its own time counted as free. */
export async function moveVisit(context: AppContext, who: Who, id: string, startsAtText: string): Promise<Appointment> {
  const { prepared: db } = context.database
  const now = context.clock.now()
  const own = { id, userId: who.scope.userId }
  const seen = await ownVisit(db, own, false)
  const wish: Wish = { instituteId: seen.instituteId, cart: seen.cart, startsAt: readStart(startsAtText, now), ignoreAppointmentId: id }
  const before = await diaryAround(db, wish, now)
  const client = await factsOf(db, before, wish, own.userId, now)
  const run = async (transaction: Db): Promise<Appointment> => {
    const held = (await segmentsOf(transaction, [id])).get(id) ?? []
    const subjects = [
      ...subjectsOf(before, wish.cart),
      ...held.flatMap(({ memberId, resourceId }) => (resourceId ? [memberId, resourceId] : [memberId])),
    ]
    await lockSubjects(transaction, subjects)
    const row = await ownVisit(transaction, own, true)
    checkMove(row, now)
    // Waiting may have taken long: what has run out meanwhile has run out.
    const lockedAt = context.clock.now()
    await sweepExpiredHolds(transaction, subjects, new Date(lockedAt))
    const loaded = await diaryAround(transaction, wish, lockedAt)
    const answer = planFor(loaded, wish, client, lockedAt, who.locale)
    if (!answer.ok) throw answer.refusal
    const old = (await segmentsOf(transaction, [id])).get(id) ?? []
    const agreed = new Map(
      old.map(({ snapshot, position, priceAmount }) => [snapshot.line ?? position, { name: snapshot.name, priceAmount }]),
    )
    await removePlan(transaction, id)
    await insertPlan(transaction, id, rowsOf({ loaded, plan: answer.plan }, agreed))
    await markMoved(transaction, {
      id,
      startsAt: new Date(wish.startsAt),
      endsAt: new Date(answer.plan.endsAt * 60_000),
      terms: termsAfterMove(row.terms, wish.startsAt, now),
    })
    const visit = await visitShown(transaction, own)
    await tellMoved(context, transaction, visit, row.startsAt)
    await refreshAvailabilityIndex(transaction, row.instituteId, now)
    return visitForWire(visit, who.locale, now)
  }
  try {
    const key = keyOf(who, { call: 'move', id, startsAt: wish.startsAt })
    return await atInstitute(wish.instituteId, { look: async () => {}, go: () => withIdempotency(db, key, run) })
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered') throw await withNearest(db, refusal as Refusal, wish, client, now)
    throw refusal
  }
}

/** Free starts this visit could move to. */
export async function timesToMoveTo(context: AppContext, who: Who, id: string, query: { from?: string | undefined; days: number }) {
  const { db } = context.database
  const now = context.clock.now()
  const row = await ownVisit(db, { id, userId: who.scope.userId }, false)
  checkMove(row, now)
  await diaryAround(db, { instituteId: row.instituteId, cart: row.cart, startsAt: now, ignoreAppointmentId: id }, now)
  return daysWithTimes(db, {
    instituteId: row.instituteId,
    cart: row.cart.map(({ serviceId, staffId }) => (staffId && staffId !== 'any' ? { serviceId, memberId: staffId } : { serviceId })),
    now,
    days: query.days,
    ignoreAppointmentId: id,
    ...(query.from && { from: query.from }),
  })
}
