/** Moving a visit and cancelling it: one command each, for the client within the terms that were accepted, for the institute and for the product itself. */
import { type Instant, instantOf } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { daysWithTimes } from '#/features/availability/service.ts'
import {
  type ClientFacts,
  diaryForMove,
  factsOf,
  freeLapsed,
  freeTime,
  insertPlan,
  keyOf,
  markCancelled,
  markMoved,
  linesOf,
  readStart,
  removePlan,
  type Requester,
  rowsOf,
  type VisitRequest,
  withNearest,
} from '#/features/booking/service.ts'
import {
  type AppointmentRow,
  findVisit,
  mayCancel,
  mayMove,
  type Party,
  partyOf,
  type SegmentRow,
  segmentsOf,
  type ShownVisit,
  stateOf,
  stepFrom,
  termsAfterMove,
} from '#/features/visits/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { type InstituteScope, type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitByKey } from '#/platform/concurrency-by-key.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { agreedOf, type MoveAsked, type MovePlan, moveOf, planForWire, planMove, totalAfter, type Wishes, wishedCart } from './move-plan.ts'
import { visitShown } from './service.ts'

/** Who may change a visit: its client, or whoever acts for the institute. The system acts through the scope of an institute. */
export type ChangeScope = SelfScope<true> | InstituteScope<'diary.change'>
/** How the changed visit is told to who changed it. */
type Present<T> = (visit: ShownVisit, now: Instant) => T

/** What a service asks of its client is looked up for the plan, whoever moves the visit. */
const system = systemScope('plan a visit')

/** A crowd at one institute waits here for its lock, not on connections that everybody else needs. */
const atInstitute = limitByKey(3)

async function visitOf(db: Db, scope: ChangeScope, id: string, lock: boolean): Promise<AppointmentRow> {
  const row = await findVisit(db, scope, { id, lock })
  if (!row || row.life === 'held') throw refuse('not_found')
  return row
}

const timesOf = ({ startsAt, endsAt }: AppointmentRow) => ({ startsAt, endsAt })

/** Terms bind the client; the institute and the system may until the visit begins. */
function checkStep(step: 'cancel' | 'move', row: AppointmentRow, by: Party, now: Instant): void {
  const startsAt = parseInstant(row.startsAt)
  if (!stepFrom(step, stateOf(row), by) || startsAt <= now) throw refuse('wrong_state')
  if (by !== 'client') return
  const isInTime = step === 'cancel' ? mayCancel(row.terms, now) : mayMove(row.terms, startsAt, now)
  if (!isInTime) throw refuse('too_late', { phone: row.institutePhone })
}

export async function cancelVisit<T>(
  context: AppContext,
  who: Requester<ChangeScope>,
  { id, reason }: { id: string; reason: string | null },
  present: Present<T>,
): Promise<T> {
  const { scope } = who
  const by = partyOf(scope.actor)
  const { instituteId } = await visitOf(context.database.prepared, scope, id, false)
  return changeInstitute(context, { instituteId, by: scope, key: keyOf(who, { call: 'cancel', id, reason }) }, async (unit) => {
    const row = await visitOf(unit.db, scope, id, true)
    checkStep('cancel', row, by, unit.now)
    await markCancelled(unit, { id, by, reason, now: new Date(unit.now) })
    await freeTime(unit, id)
    unit.record('visit.cancelled', id, { ...timesOf(row), by, reason })
    return present(await visitShown(unit.db, scope, id), unit.now)
  })
}

/** Another booking won the race after the plan was made: the constraint is the last wall. */
const lostRace = (error: unknown): boolean => ['occupations_apart', 'session_seats_pkey'].includes(brokenConstraint(error) ?? '')

const segmentsOfVisit = async (db: Db, scope: ChangeScope, id: string): Promise<SegmentRow[]> =>
  (await segmentsOf(db, scope, [id])).get(id) ?? []

async function clientOf(db: Db, row: AppointmentRow, request: VisitRequest, now: Instant): Promise<ClientFacts | undefined> {
  const loaded = await diaryForMove(db, request, now)
  return row.userId === null ? undefined : factsOf(db, loaded, request, system.user(row.userId), now)
}

/** Moves a visit: same services, its own time counted as free; with who does it now or is wished for, or as the institute says. */
export async function moveVisit<T>(context: AppContext, who: Requester<ChangeScope>, asked: MoveAsked, present: Present<T>): Promise<T> {
  const { prepared: db } = context.database
  const { scope } = who
  const { id, staffId, staff, segment } = asked
  const by = partyOf(scope.actor)
  const now = context.clock.now()
  const seen = await visitOf(db, scope, id, false)
  const { instituteId } = seen
  const { request } = moveOf(seen, await segmentsOfVisit(db, scope, id), asked, by, now)
  const client = await clientOf(db, seen, request, now)
  const work = async (unit: Unit): Promise<T> => {
    await freeLapsed(unit)
    const row = await visitOf(unit.db, scope, id, true)
    checkStep('move', row, by, unit.now)
    const segments = await segmentsOfVisit(unit.db, scope, id)
    const move = moveOf(row, segments, asked, by, now)
    const planned = await planMove(unit.db, move, client, unit.now, who.locale)
    const rows = rowsOf(planned, agreedOf(row, segments, move))
    const totalAmount = totalAfter(row, segments, rows)
    await removePlan(unit, id)
    await insertPlan(unit, id, rows)
    const startsAt = move.request.startsAt
    const endsAt = instantOf(planned.plan.endsAt)
    const terms = termsAfterMove(row.terms, startsAt, unit.now)
    await markMoved(unit, { id, startsAt: new Date(startsAt), endsAt: new Date(endsAt), terms, cart: move.cart, totalAmount })
    unit.record('visit.moved', id, { startsAt: instantText(startsAt), endsAt: instantText(endsAt), before: timesOf(row) })
    return present(await visitShown(unit.db, scope, id), unit.now)
  }
  const key = keyOf(who, { call: 'move', id, startsAt: readStart(asked.startsAt, now), staffId, staff, segment })
  try {
    return await atInstitute(instituteId, () => changeInstitute(context, { instituteId, by: scope, key }, work))
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered') throw await withNearest(context, refusal as RefusalError, request, client, now)
    throw refusal
  }
}

/** What a move would make of a visit. Nothing is changed, and nothing kept: somebody may be faster. */
export async function planOfMove(context: AppContext, { scope, locale }: Requester<SelfScope<true>>, asked: MoveAsked): Promise<MovePlan> {
  const { db } = context.database
  const now = context.clock.now()
  const by = partyOf(scope.actor)
  const row = await visitOf(db, scope, asked.id, false)
  checkStep('move', row, by, now)
  const segments = await segmentsOfVisit(db, scope, asked.id)
  const move = moveOf(row, segments, asked, by, now)
  const client = await clientOf(db, row, move.request, now)
  try {
    return planForWire(row, segments, move, await planMove(db, move, client, now, locale), locale)
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code !== 'slot_taken' && code !== 'not_offered') throw error
    throw await withNearest(context, error as RefusalError, move.request, client, now)
  }
}

/** Free starts this visit could move to, with who does it now unless others are wished for. */
export async function timesToMoveTo(
  context: AppContext,
  { scope }: Requester<ChangeScope>,
  id: string,
  query: { from?: string | undefined; days: number; staff?: Wishes | undefined },
) {
  const { db } = context.database
  const now = context.clock.now()
  const row = await visitOf(db, scope, id, false)
  checkStep('move', row, partyOf(scope.actor), now)
  const cart = wishedCart(row, await segmentsOfVisit(db, scope, id), query.staff)
  const newStaffIds = query.staff === undefined ? [] : [query.staff].flat()
  await diaryForMove(db, { instituteId: row.instituteId, cart, startsAt: now, ignoreAppointmentId: id, newStaffIds }, now)
  return daysWithTimes(db, {
    instituteId: row.instituteId,
    cart: linesOf(cart),
    now,
    days: query.days,
    ignoreAppointmentId: id,
    ...(query.from && { from: query.from }),
  })
}
