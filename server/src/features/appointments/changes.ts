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
} from '#/features/booking/service.ts'
import { isBlockedAt } from '#/features/customers/service.ts'
import {
  type AppointmentRow,
  columnOf,
  type DiaryReaderScope,
  findVisit,
  lengthsByHand,
  mayCancel,
  mayCancelLate,
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
import { makeLateFee } from '#/features/fees/service.ts'
import { returnMoney } from '#/features/payments/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { type InstituteScope, type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitByKey } from '#/platform/concurrency-by-key.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { historyOf, isTestFor, needingForWire, visitsNeeding } from './history-store.ts'
import {
  afterwardsOf,
  agreedOf,
  type MoveAsked,
  type MovePlan,
  moveOf,
  planForWire,
  planMove,
  totalAfter,
  type Wishes,
  wishedCart,
  withNearestMoves,
} from './move-plan.ts'
import { longDayText, timeText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { visitShown } from './shown.ts'
import { isToldLater, tellLater, visitAsItIs } from './untold.ts'

/** Who may change a visit: its client, or whoever acts for the institute. The system acts through the scope of an institute. */
export type ChangeScope = SelfScope<true> | InstituteScope<'diary.own'> | InstituteScope<'diary.change'>
/** How the changed visit is told to who changed it. */
type Present<T> = (visit: ShownVisit, now: Instant, db: Db) => T | Promise<T>

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
function checkStep(step: 'cancel' | 'move', row: AppointmentRow, by: Party, now: Instant, until = row.startsAt): void {
  const startsAt = parseInstant(row.startsAt)
  if (!stepFrom(step, stateOf(row), by) || parseInstant(until) <= now) throw refuse('wrong_state')
  if (by !== 'client') return
  const isInTime = step === 'move' ? mayMove(row.terms, startsAt, now) : mayCancel(row.terms, now) || mayCancelLate(row, startsAt, now)
  if (!isInTime) throw refuse('too_late', { phone: row.institutePhone })
}

/** A client whom the institute books no more moves to no other time there, as if none were free; they may always cancel. */
const findsNothing = async (context: AppContext, scope: ChangeScope, instituteId: string): Promise<boolean> =>
  scope.kind === 'self' && (await isBlockedAt(context.database.prepared, scope, instituteId))

/** Who sees one column alone changes visits that are in no other, and gives them to nobody else. */
export function checkColumn(scope: ChangeScope, segments: readonly SegmentRow[], staffId?: string): void {
  const own = scope.kind === 'self' ? null : columnOf(scope)
  if (own === null) return
  if (segments.some(({ memberId }) => memberId !== own) || (staffId !== undefined && staffId !== own)) throw refuse('forbidden')
}

/** Whoever looks at an older screen is told who changed the visit, and to what. */
export async function checkSeen(db: Db, scope: ChangeScope, row: AppointmentRow, version: number | undefined): Promise<void> {
  if (version === undefined || version === row.revision || scope.kind === 'self') return
  throw await changedMeanwhile(db, scope, row)
}

/** Says who was faster. */
export async function changedMeanwhile(db: Db, scope: DiaryReaderScope, row: AppointmentRow): Promise<RefusalError> {
  const last = (await historyOf(db, scope, row.id, 10)).find(({ kind }) => kind !== 'visit.settled' && kind !== 'visit.noted')
  const by = last?.name ?? row.instituteName
  return refuse('changed_meanwhile', { by, kind: last?.kind ?? null, startsAt: row.startsAt, version: row.revision }, { values: { by } })
}

/** What the institute does to a test leaves no other visit without it unaware: that one is named, and it is done on purpose alone. */
async function checkNeeded(
  { db, now }: Unit,
  { scope, locale }: Requester<ChangeScope>,
  { id, anyway }: { id: string; anyway?: true | undefined },
  segmentsAfter: readonly Pick<SegmentRow, 'serviceId' | 'endsAt'>[],
): Promise<void> {
  if (scope.kind === 'self' || partyOf(scope.actor) !== 'institute' || anyway) return
  const missing = (await visitsNeeding(db, scope, id, new Date(now))).filter((one) => !isTestFor(one, segmentsAfter))
  const [first] = missing
  if (!first) return
  const visits = needingForWire(missing, locale)
  const { startsAt, timeZone } = first
  const when = translate(locale, 'mails', 'dayAndTime', {
    day: longDayText(startsAt, timeZone, locale),
    time: timeText(startsAt, timeZone),
  })
  throw refuse('needed_by', { visits, timeZone }, { values: { service: visits[0]?.serviceName ?? '', when } })
}

interface CancelAsked {
  id: string
  reason: string | null
  /** Also where other visits need it. */
  anyway?: true | undefined
  /** Of the visit as it was seen. */
  version?: number | undefined
}

export async function cancelVisit<T>(
  context: AppContext,
  who: Requester<ChangeScope>,
  { id, reason, version, anyway }: CancelAsked,
  present: Present<T>,
): Promise<T> {
  const { scope } = who
  const by = partyOf(scope.actor)
  const { instituteId } = await visitOf(context.database.prepared, scope, id, false)
  return changeInstitute(context, { instituteId, by: scope, key: keyOf(who, { call: 'cancel', id, reason, anyway }) }, async (unit) => {
    const row = await visitOf(unit.db, scope, id, true)
    await checkSeen(unit.db, scope, row, version)
    checkColumn(scope, await segmentsOfVisit(unit.db, scope, id))
    checkStep('cancel', row, by, unit.now)
    await checkNeeded(unit, who, { id, anyway }, [])
    const before = isToldLater(scope) ? await visitAsItIs(unit, id) : null
    await markCancelled(unit, { id, by, reason, now: new Date(unit.now) })
    await freeTime(unit, id)
    // What may still be taken back keeps its money until it may not.
    const charged = isToldLater(scope) ? 0 : await returnMoney(unit, scope.actor, row, by)
    // Events are never changed: what a client wrote could not be forgotten with their account.
    unit.record('visit.cancelled', id, { ...timesOf(row), by, reason: by === 'client' ? null : reason, ...laterOf(scope) })
    if (charged > 0) await makeLateFee(unit, row, charged)
    await afterwards(unit, scope, { id, kind: 'cancelled', after: timesOf(row), before })
    return present(await visitShown(unit.db, scope, id), unit.now, unit.db)
  })
}

const laterOf = (scope: ChangeScope): { toldLater?: true } => (isToldLater(scope) ? { toldLater: true } : {})

/** What the institute did is told when it can be taken back no more. */
async function afterwards(unit: Unit, scope: ChangeScope, change: Parameters<typeof tellLater>[2]): Promise<void> {
  if (isToldLater(scope)) await tellLater(unit, scope, change)
}

/** Another booking won the race after the plan was made: the constraint is the last wall. */
const lostRace = (error: unknown): boolean => ['occupations_apart', 'session_seats_pkey'].includes(brokenConstraint(error) ?? '')

const segmentsOfVisit = async (db: Db, scope: ChangeScope, id: string): Promise<SegmentRow[]> =>
  (await segmentsOf(db, scope, [id])).get(id) ?? []

async function clientOf(db: Db, row: AppointmentRow, request: VisitRequest, now: Instant): Promise<ClientFacts | undefined> {
  const loaded = await diaryForMove(db, request, now)
  return row.userId === null ? undefined : factsOf(db, loaded, request, system.user(row.userId))
}

/** Moves a visit: same services, its own time counted as free; with who does it now or is wished for, or as the institute says. */
export async function moveVisit<T>(context: AppContext, who: Requester<ChangeScope>, asked: MoveAsked, present: Present<T>): Promise<T> {
  const { prepared: db } = context.database
  const { scope } = who
  const { id, staffId, staff, segment, version, resize, anyway } = asked
  const by = partyOf(scope.actor)
  const now = context.clock.now()
  const seen = await visitOf(db, scope, id, false)
  const { instituteId } = seen
  if (await findsNothing(context, scope, instituteId)) throw refuse('slot_taken', { nearest: [] })
  const wanted = moveOf(seen, await segmentsOfVisit(db, scope, id), asked, by, now)
  const client = await clientOf(db, seen, wanted.request, now)
  const work = async (unit: Unit): Promise<T> => {
    await freeLapsed(unit)
    const row = await visitOf(unit.db, scope, id, true)
    await checkSeen(unit.db, scope, row, version)
    checkStep('move', row, by, unit.now, resize && row.endsAt)
    const segments = await segmentsOfVisit(unit.db, scope, id)
    checkColumn(scope, segments, staffId)
    const move = moveOf(row, segments, asked, by, now)
    const planned = await planMove(unit.db, move, client, unit.now, who.locale)
    const rows = rowsOf(planned, agreedOf(row, segments, move))
    if (!resize) await checkNeeded(unit, who, { id, anyway }, rows.segments)
    const totalAmount = totalAfter(row, segments, rows)
    const before = isToldLater(scope) ? await visitAsItIs(unit, id) : null
    await removePlan(unit, id)
    await insertPlan(unit, id, rows)
    const startsAt = move.request.startsAt
    const endsAt = instantOf(planned.plan.endsAt)
    const terms = termsAfterMove(row.terms, startsAt, unit.now)
    await markMoved(unit, { id, startsAt: new Date(startsAt), endsAt: new Date(endsAt), terms, cart: move.cart, totalAmount })
    const after = { startsAt: instantText(startsAt), endsAt: instantText(endsAt) }
    if (resize) unit.record('visit.resized', id, { ...after, before: timesOf(row), ...resize })
    else unit.record('visit.moved', id, { ...after, before: timesOf(row), ...laterOf(scope) })
    await afterwards(unit, scope, { id, kind: 'moved', after, before })
    return present(await visitShown(unit.db, scope, id), unit.now, unit.db)
  }
  const key = keyOf(who, { call: 'move', id, startsAt: readStart(asked.startsAt, now), staffId, staff, segment, resize, anyway })
  try {
    return await atInstitute(instituteId, () => changeInstitute(context, { instituteId, by: scope, key }, work))
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered') throw await withNearestMoves(context, refusal as RefusalError, wanted, client, now)
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
  if (await findsNothing(context, scope, row.instituteId)) throw refuse('slot_taken', { nearest: [] })
  const segments = await segmentsOfVisit(db, scope, asked.id)
  const move = moveOf(row, segments, asked, by, now)
  const client = await clientOf(db, row, move.request, now)
  try {
    const plan = planForWire(row, segments, move, await planMove(db, move, client, now, locale), locale)
    return { ...plan, afterwards: await afterwardsOf(db, row, plan, now) }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code !== 'slot_taken' && code !== 'not_offered') throw error
    throw await withNearestMoves(context, error as RefusalError, move, client, now)
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
  const segments = await segmentsOfVisit(db, scope, id)
  const cart = wishedCart(row, segments, query.staff)
  const newStaffIds = query.staff === undefined ? [] : [query.staff].flat()
  await diaryForMove(db, { instituteId: row.instituteId, cart, startsAt: now, ignoreAppointmentId: id, newStaffIds }, now)
  const found = await daysWithTimes(db, {
    instituteId: row.instituteId,
    cart: linesOf(cart),
    now,
    days: query.days,
    ignoreAppointmentId: id,
    lengths: lengthsByHand(segments),
    ...(query.from && { from: query.from }),
  })
  if (!(await findsNothing(context, scope, row.instituteId))) return found
  return { ...found, days: found.days.map(({ day }) => ({ day, times: [], taken: [] })) }
}
