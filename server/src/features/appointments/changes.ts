/** Moving a visit and cancelling it: one command each, for the client within the terms that were accepted, for the institute and for the product itself. */
import type { Locale } from '@soigne/contract/wire'
import { type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { daysWithTimes } from '#/features/availability/service.ts'
import {
  type Agreed,
  type ClientFacts,
  diaryForMove,
  factsOf,
  freeLapsed,
  freeTime,
  insertPlan,
  keyOf,
  markCancelled,
  markMoved,
  planFor,
  readStart,
  removePlan,
  type Requester,
  rowsOf,
  type VisitRequest,
  withNearest,
} from '#/features/booking/service.ts'
import {
  type AppointmentRow,
  type CartEntry,
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
import { type RefusalError, refuse, refuseField } from '#/platform/refuse.ts'
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

/** Prices and names as agreed, by line of the cart. */
const agreedOf = (segments: readonly SegmentRow[]): Map<number, Agreed> =>
  new Map(segments.map((segment) => [lineOf(segment), { name: segment.snapshot.name, priceAmount: segment.priceAmount }]))

export interface MoveAsked {
  id: string
  /** Of the visit, or of the segment named. */
  startsAt: string
  /** Who does the segment named from now on, or all of it. */
  staffId?: string | undefined
  /** Place among the segments of the visit: it begins when asked, and the others go with it. */
  segment?: number | undefined
}

interface Move {
  request: VisitRequest
  /** What is wished for from now on: who was wanted by name is replaced, who wanted anybody still does. */
  cart: CartEntry[]
  /** The segment that has to begin at an instant of its own. */
  fixed: { line: number; startsAt: number } | null
}

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

function moveOf(row: AppointmentRow, segments: readonly SegmentRow[], asked: MoveAsked, by: Party, now: Instant): Move {
  const { id, staffId, segment: place } = asked
  const startsAt = readStart(asked.startsAt, now)
  const segment = place === undefined ? undefined : segments.find(({ position }) => position === place)
  if (place !== undefined && !segment) throw refuseField('segment', 'invalid')
  const fixed = segment ? { line: lineOf(segment), startsAt } : null
  const isMeant = (line: number): boolean => staffId !== undefined && (!fixed || fixed.line === line)
  const withMember = (entry: CartEntry, line: number): CartEntry => (isMeant(line) ? { ...entry, staffId: staffId ?? 'any' } : entry)
  const isByName = ({ staffId: wanted }: CartEntry): boolean => wanted !== undefined && wanted !== 'any'
  return {
    request: {
      instituteId: row.instituteId,
      cart: row.cart.map(withMember),
      startsAt: startsAt - (segment ? parseInstant(segment.startsAt) - parseInstant(row.startsAt) : 0),
      ignoreAppointmentId: id,
      ...(staffId !== undefined && { newStaffId: staffId }),
      ...(by !== 'client' && { forInstitute: true }),
    },
    cart: row.cart.map((entry, line) => (isByName(entry) ? withMember(entry, line) : entry)),
    fixed,
  }
}

/** The plan of a move. @throws the refusal where there is none */
async function planMove(unit: Unit, { request, fixed }: Move, client: ClientFacts | undefined, locale: Locale) {
  if (request.forInstitute && request.startsAt < unit.now) throw refuse('not_offered', { reason: 'past' })
  const loaded = await diaryForMove(unit.db, request, unit.now)
  const answer = planFor(loaded, request, client, unit.now, locale)
  if (!answer.ok) throw answer.refusal
  const { plan } = answer
  // The others may have to wait for somebody, and with them the one that was named.
  if (fixed && plan.segments.find(({ line }) => line === fixed.line)?.startsAt !== minuteOf(fixed.startsAt))
    throw refuse('slot_taken', { reason: 'taken' })
  return { loaded, plan }
}

/** Another booking won the race after the plan was made: the constraint is the last wall. */
const lostRace = (error: unknown): boolean => ['occupations_apart', 'session_seats_pkey'].includes(brokenConstraint(error) ?? '')

const segmentsOfVisit = async (db: Db, scope: ChangeScope, id: string): Promise<SegmentRow[]> =>
  (await segmentsOf(db, scope, [id])).get(id) ?? []

async function clientOf(db: Db, row: AppointmentRow, request: VisitRequest, now: Instant): Promise<ClientFacts | undefined> {
  const loaded = await diaryForMove(db, request, now)
  return row.userId === null ? undefined : factsOf(db, loaded, request, system.user(row.userId), now)
}

/** Moves a visit: same services, prices as agreed, its own time counted as free. Members as wished for, or as the institute says. */
export async function moveVisit<T>(context: AppContext, who: Requester<ChangeScope>, asked: MoveAsked, present: Present<T>): Promise<T> {
  const { prepared: db } = context.database
  const { scope } = who
  const { id, staffId, segment } = asked
  const by = partyOf(scope.actor)
  const now = context.clock.now()
  const seen = await visitOf(db, scope, id, false)
  const { instituteId } = seen
  const { request } = moveOf(seen, segment === undefined ? [] : await segmentsOfVisit(db, scope, id), asked, by, now)
  const client = await clientOf(db, seen, request, now)
  const work = async (unit: Unit): Promise<T> => {
    await freeLapsed(unit)
    const row = await visitOf(unit.db, scope, id, true)
    checkStep('move', row, by, unit.now)
    const segments = await segmentsOfVisit(unit.db, scope, id)
    const move = moveOf(row, segments, asked, by, now)
    const planned = await planMove(unit, move, client, who.locale)
    await removePlan(unit, id)
    await insertPlan(unit, id, rowsOf(planned, agreedOf(segments)))
    const startsAt = move.request.startsAt
    const endsAt = instantOf(planned.plan.endsAt)
    const terms = termsAfterMove(row.terms, startsAt, unit.now)
    await markMoved(unit, { id, startsAt: new Date(startsAt), endsAt: new Date(endsAt), terms, cart: move.cart })
    unit.record('visit.moved', id, { startsAt: instantText(startsAt), endsAt: instantText(endsAt), before: timesOf(row) })
    return present(await visitShown(unit.db, scope, id), unit.now)
  }
  const key = keyOf(who, { call: 'move', id, startsAt: readStart(asked.startsAt, now), staffId, segment })
  try {
    return await atInstitute(instituteId, () => changeInstitute(context, { instituteId, by: scope, key }, work))
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered') throw await withNearest(context, refusal as RefusalError, request, client, now)
    throw refusal
  }
}

/** Free starts this visit could move to. */
export async function timesToMoveTo(
  context: AppContext,
  { scope }: Requester<ChangeScope>,
  id: string,
  query: { from?: string | undefined; days: number },
) {
  const { db } = context.database
  const now = context.clock.now()
  const row = await visitOf(db, scope, id, false)
  checkStep('move', row, partyOf(scope.actor), now)
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
