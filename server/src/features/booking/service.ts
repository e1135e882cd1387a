/** Holds and bookings: choosing a time, keeping it for ten minutes, turning it into an appointment. */
import { type Hold, holdMinutes } from '@soigne/contract/appointments'
import { type Instant, minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant, utcDayOf } from '#/platform/instants.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type AppointmentRow, type CartEntry, findShown, findVisit, holdForWire, liveHolds, segmentsOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { fingerprintOf } from '#/platform/idempotency.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { holdInLane } from './hold-lane.ts'
import { holdSeat, isForGroup } from './hold-seat.ts'
import { readStart, type VisitRequest } from './planning.ts'
import type { Requester } from './requester.ts'
import { deleteHold, extendHold, instituteOfHold, letGo, setBirthday } from './store.ts'

export { confirm } from './confirm.ts'
export { type Agreed, diaryForMove, factsOf, planFor, readStart, rowsOf, type VisitRequest, withNearest } from './planning.ts'
export type { ClientFacts } from '@soigne/scheduling/model'
export { keyOf, type Requester } from './requester.ts'
export { freeLapsed, sweepInstitute } from './sweeping.ts'
export { references } from './hold-batch.ts'
export { freeTime, insertPlan, instituteOfHold, letGo, markCancelled, markMoved, type NewPlan, removePlan } from './store.ts'

export interface HoldRequest {
  instituteId: string
  services: CartEntry[]
  startsAt: string
  birthday?: string | undefined
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

/** Holds a time for ten minutes. Works before the email is confirmed, so that nothing chosen is lost while the code is on its way. */
export async function makeHold(context: AppContext, who: Requester, asked: HoldRequest): Promise<Hold> {
  const now = context.clock.now()
  const { scope } = who
  checkServices(context, who, asked)
  const { prepared: db } = context.database
  const request: VisitRequest = { instituteId: asked.instituteId, cart: asked.services, startsAt: readStart(asked.startsAt, now) }
  if (asked.birthday !== undefined) await keepBirthday(db, scope, asked.birthday, now)
  const call = { call: 'makeHold', ...asked }
  if (await isForGroup(context, request)) return holdSeat(context, who, request, call)
  const key = who.idempotencyKey
  return holdInLane(context, {
    request,
    scope,
    locale: who.locale,
    key,
    fingerprint: key === null ? null : fingerprintOf(call).toString('hex'),
  })
}

export async function currentHolds(context: AppContext, who: Requester): Promise<Hold[]> {
  const { db } = context.database
  const rows = await liveHolds(db, who.scope, new Date(context.clock.now()))
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
}
