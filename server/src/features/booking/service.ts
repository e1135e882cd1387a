/** Holds and bookings: choosing a time, keeping it for ten minutes, turning it into an appointment. */
import { type HomeAddressInput, type Hold, holdMinutes } from '@soigne/contract/appointments'
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant, utcDayOf } from '#/platform/instants.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type Home, homeOf } from '#/features/at-home/service.ts'
import { rememberedDiary } from '#/features/availability/service.ts'
import { type AppointmentRow, type CartEntry, findShown, findVisit, holdForWire, liveHolds, segmentsOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { fingerprintOf } from '#/platform/idempotency.ts'
import { refuse, refuseField, RefusalError } from '#/platform/refuse.ts'
import { holdInLane } from './hold-lane.ts'
import { holdSeat, isForGroup } from './hold-seat.ts'
import { diaryForMove, factsOf, planFor, readStart, type VisitRequest } from './planning.ts'
import type { Requester } from './requester.ts'
import { noReservation, reserveTime, spend } from './held-time.ts'
import { deleteHold, extendHold, instituteOfHold, letGo, readAnswer, setBirthday } from './store.ts'

export { type Confirmation, confirm, confirmWithin } from './confirm.ts'
export {
  type Agreed,
  checkCart,
  diaryForMove,
  factsOf,
  linesOf,
  nearestIn,
  nearestReachDays,
  planFor,
  readStart,
  rowsOf,
  type VisitRequest,
  withNearest,
} from './planning.ts'
export type { ClientFacts } from '@soigne/scheduling/model'
export { endOf, plannedSegments } from './planned-visits.ts'
export { keyOf, type Requester } from './requester.ts'
export { freeLapsed, sweepInstitute } from './sweeping.ts'
export { references } from './hold-batch.ts'
export { holdPlan } from './hold-seat.ts'
export {
  deleteHold,
  freeTime,
  insertPlan,
  instituteOfHold,
  letGo,
  markCancelled,
  markMoved,
  type NewPlan,
  removePlan,
  takePlan,
} from './store.ts'

export interface HoldRequest {
  instituteId: string
  services: CartEntry[]
  startsAt: string
  birthday?: string | undefined
  home?: HomeAddressInput | undefined
}

/** A birthday is kept for good once given, so one that cannot be true is refused. */
async function keepBirthday(db: Db, scope: SelfScope, birthday: string, now: Instant): Promise<void> {
  if (birthday > utcDayOf(now)) throw refuseField('birthday', 'date')
  await setBirthday(db, scope, birthday)
}

/** Nobody keeps a day of a salon with an address that may not be theirs. */
function checkServices({ settings }: AppContext, { scope }: Requester, { services }: HoldRequest): void {
  const most = settings.limits.holdServicesUnconfirmed
  if (!scope.verified && services.length > most) throw refuse('too_many_services', { most }, { values: { count: most } })
}

/** The visit that is asked for; one at home with where that is. */
async function requestOf(context: AppContext, who: Requester, asked: HoldRequest, now: Instant): Promise<VisitRequest> {
  const { instituteId, services } = asked
  const request = { instituteId, cart: services, startsAt: readStart(asked.startsAt, now) }
  if (!asked.home) return request
  const state = await rememberedDiary(context, instituteId, now)
  if (!state) throw refuse('not_found')
  const home: Home = await homeOf(context.database.prepared, state.loaded, asked.home, who.locale)
  return { ...request, cart: services.map((one) => ({ ...one, atHome: true })), home }
}

/** Holds a time for ten minutes. Works before the email is confirmed, so that nothing chosen is lost while the code is on its way. */
export async function makeHold(context: AppContext, who: Requester, asked: HoldRequest, address = 'in-process'): Promise<Hold> {
  const now = context.clock.now()
  const { scope } = who
  checkServices(context, who, asked)
  const { prepared: db } = context.database
  // What is stored or asked of others before the hold is stored.
  if (asked.home || asked.birthday !== undefined) await scope.proof?.ask()
  const request = await requestOf(context, who, asked, now)
  if (asked.birthday !== undefined) await keepBirthday(db, scope, asked.birthday, now)
  const call = { call: 'makeHold', ...asked }
  const key = who.idempotencyKey
  const fingerprint = key === null ? null : fingerprintOf(call).toString('hex')
  const hold = async (): Promise<Hold> => {
    if (!(await isForGroup(context, request))) return holdInLane(context, { request, scope, locale: who.locale, key, fingerprint })
    await scope.proof?.ask()
    return holdSeat(context, who, request, call)
  }
  const make = (): Promise<Hold> => withinBudgets(context, { scope, request, key, address }, hold)
  return make().catch(async (error: unknown) => {
    await scope.proof?.ask()
    const own = isInTheWay(error) ? await ownHoldOf(context, who, request) : undefined
    if (own) return own
    if (!(await letGoInTheWay(context, who, request, error))) throw error
    return make()
  })
}

/**
 * Nobody's own hold keeps them from another time: what they hold at the same institute is let go where the time asked for is free without it, be it held by
 * another window. Not while it is being paid. Whether one was.
 */
export async function letGoInTheWay(context: AppContext, who: Requester, request: VisitRequest, error: unknown): Promise<boolean> {
  if (!(error instanceof RefusalError) || error.code !== 'slot_taken' || (await isForGroup(context, request))) return false
  const { db } = context.database
  const now = context.clock.now()
  const rows = await liveHolds(db, who.scope, { now: new Date(now), withOffers: false })
  const { startsAt } = request
  const near = rows.filter(
    (row) =>
      row.instituteId === request.instituteId && row.payment !== 'awaiting' && Math.abs(parseInstant(row.startsAt) - startsAt) < dayMs,
  )
  if (near.length === 0) return false
  const isFree = async (asked: VisitRequest): Promise<boolean> => {
    const loaded = await diaryForMove(db, asked, now)
    return planFor(loaded, asked, await factsOf(db, loaded, asked, who.scope), now, who.locale).ok
  }
  // Free by now: what was in the way was somebody else's, and they keep what they hold.
  if (await isFree(request)) return true
  for (const { id } of near) {
    if (!(await isFree({ ...request, ignoreAppointmentId: id }))) continue
    // Another window may have let it go meanwhile.
    await releaseHold(context, who, id).catch((gone: unknown) => {
      if (!(gone instanceof RefusalError) || gone.code !== 'not_found') throw gone
    })
    return true
  }
  return false
}

interface Budgeted {
  scope: SelfScope
  request: VisitRequest
  key: string | null
  address: string
}
/** What was answered already is answered again, whatever is left of the budgets. */
async function withinBudgets(context: AppContext, { scope, request, key, address }: Budgeted, hold: () => Promise<Hold>): Promise<Hold> {
  const reservation = await reserveTime(context, scope, request, address).catch(async (error: unknown) => {
    if (key === null || !(await readAnswer(context.database.prepared, scope, key))) throw error
    return noReservation
  })
  let held: Hold | null = null
  try {
    return (held = await hold())
  } finally {
    reservation.settled(held)
  }
}

/** What one's own hold of the same visit is refused with, when it is asked for twice. */
function isInTheWay(error: unknown): boolean {
  return error instanceof RefusalError && ['slot_taken', 'too_many_holds', 'too_many_requests'].includes(error.code)
}

/** The live hold this person has of this very visit: asked for again, by another window, it is the same hold. */
async function ownHoldOf(context: AppContext, who: Requester, { instituteId, cart, startsAt }: VisitRequest): Promise<Hold | undefined> {
  const holds = await holdsOf(context, who, true)
  return holds.find(
    (hold) =>
      hold.institute._id === instituteId &&
      parseInstant(hold.startsAt) === startsAt &&
      hold.segments.length === cart.length &&
      cart.every(({ serviceId, staffId }) =>
        hold.segments.some((segment) => segment.serviceId === serviceId && (!staffId || staffId === 'any' || segment.staffId === staffId)),
      ),
  )
}

/** What somebody holds; times offered to them because they wait are told with the waiting list. */
export const currentHolds = (context: AppContext, who: Requester): Promise<Hold[]> => holdsOf(context, who, false)

async function holdsOf(context: AppContext, who: Requester, withOffers: boolean): Promise<Hold[]> {
  const { db } = context.database
  const rows = await liveHolds(db, who.scope, { now: new Date(context.clock.now()), withOffers })
  const segments = await segmentsOf(
    db,
    who.scope,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => holdForWire(row, segments.get(row.id) ?? [], who.locale))
}

/** The hold under lock, still alive once the lock is had: nobody may have been shown its time as free in between. */
function checkLive(row: AppointmentRow | null, now: Instant): AppointmentRow & { expiresAt: string } {
  if (!row) throw refuse('not_found')
  if (row.life !== 'held') throw refuse('wrong_state')
  if (row.expiresAt === null || parseInstant(row.expiresAt) <= now) throw refuse('hold_expired')
  return { ...row, expiresAt: row.expiresAt }
}

/** Changes one's own hold in the unit of work of its institute. */
async function instituteOf(context: AppContext, scope: SelfScope, id: string): Promise<string> {
  const found = await instituteOfHold(context.database.prepared, scope, id)
  if (found) return found.instituteId
  const visit = await findVisit(context.database.prepared, scope, { id })
  throw refuse(visit ? 'wrong_state' : 'not_found')
}

export async function extendHoldOnce(context: AppContext, who: Requester, id: string): Promise<Hold> {
  const { scope } = who
  return changeInstitute(context, { instituteId: await instituteOf(context, scope, id), by: scope }, async (unit) => {
    const row = checkLive(await findVisit(unit.db, scope, { id, lock: true }), unit.now)
    if (row.holdExtended || row.payment === 'awaiting') throw refuse('hold_extended')
    const until = parseInstant(row.expiresAt) + holdMinutes * minuteMs
    if (!(await extendHold(unit, id, new Date(until)))) throw refuse('hold_expired')
    unit.record('visit.extended', id, { expiresAt: instantText(until) })
    const shown = await findShown(unit.db, scope, id)
    if (!shown) throw refuse('not_found')
    return holdForWire(shown.row, shown.segments, who.locale, shown.overlap)
  })
}

export async function releaseHold(context: AppContext, who: Requester, id: string): Promise<void> {
  const { scope } = who
  const found = await instituteOfHold(context.database.prepared, scope, id)
  if (!found) throw refuse('not_found')
  await changeInstitute(context, { ...found, by: scope }, async (unit) => {
    const visit = await findVisit(unit.db, scope, { id, lock: true })
    const gone = visit?.payment === 'awaiting' ? await letGo(unit, id) : await deleteHold(unit, scope, id)
    if (!gone) throw refuse('not_found')
    unit.record('visit.released', id, gone)
  })
  spend(context, id)
}
