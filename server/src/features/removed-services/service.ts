/** Letting one service of a visit go: the others follow each other, and its share of the deposit goes back. */
import type { ServiceRemoval } from '@soigne/contract/removed-services'
import type { Locale } from '@soigne/contract/wire'
import { type Instant, instantOf } from '@soigne/contract/time'
import {
  agreedOf,
  checkColumn,
  checkSeen,
  moveOf,
  type PlannedMove,
  planMove,
  type Move,
  type ChangeScope,
  visitShown,
} from '#/features/appointments/service.ts'
import { freeLapsed, insertPlan, keyOf, removePlan, type Requester, rowsOf } from '#/features/booking/service.ts'
import { depositLeft, returnShare } from '#/features/payments/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  isAtHome,
  mayCancel,
  partyOf,
  type SegmentRow,
  segmentsOf,
  type ShownVisit,
  stateOf,
  stepFrom,
  termsAfterMove,
} from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { markShortened, sharesOf } from './store.ts'

export { backOf, ifRestLeft, leaveRest, restOf } from './rest.ts'

export interface RemovalAsked {
  id: string
  segment: number
  serviceId: string
  /** Of the visit as it was seen. */
  version?: number | undefined
}

/** What is left of a visit, and what goes back. */
interface Removal {
  removed: SegmentRow
  move: Move
  segments: SegmentRow[]
  planned: PlannedMove
  totalAmount: number
  /** Of what was paid, of the deposit that was asked for, and of the fees that were agreed. */
  shares: Awaited<ReturnType<typeof sharesOf>>
}

async function visitOf(db: Db, scope: ChangeScope, id: string, lock: boolean): Promise<AppointmentRow> {
  const row = await findVisit(db, scope, { id, lock })
  if (!row || row.life === 'held') throw refuse('not_found')
  return row
}

function checkStep(scope: ChangeScope, row: AppointmentRow, now: Instant): void {
  const by = partyOf(scope.actor)
  if (!stepFrom('remove_service', stateOf(row), by) || isAtHome(row) || parseInstant(row.startsAt) <= now) throw refuse('wrong_state')
  if (by === 'client' && !mayCancel(row.terms, now)) throw refuse('too_late', { phone: row.institutePhone })
}

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

/** The visit as if the service had never been of it. */
function without(row: AppointmentRow, segments: readonly SegmentRow[], removed: SegmentRow) {
  const line = lineOf(removed)
  return {
    row: { ...row, cart: row.cart.filter((_entry, place) => place !== line) },
    segments: segments
      .filter((one) => one !== removed)
      .map((one): SegmentRow => ({ ...one, snapshot: { ...one.snapshot, line: lineOf(one) - (lineOf(one) > line ? 1 : 0) } })),
  }
}

async function removalOf(
  db: Db,
  scope: ChangeScope,
  row: AppointmentRow,
  asked: RemovalAsked,
  now: Instant,
  locale: Locale,
): Promise<Removal> {
  checkStep(scope, row, now)
  const all = (await segmentsOf(db, scope, [row.id])).get(row.id) ?? []
  checkColumn(scope, all)
  const removed = all.find(({ position }) => position === asked.segment)
  if (removed?.serviceId !== asked.serviceId) throw refuse('not_found')
  if (all.length < 2) throw refuse('wrong_state')
  const left = without(row, all, removed)
  const startsAt = left.segments.map((one) => one.startsAt).toSorted()[0] ?? row.startsAt
  const move = moveOf(left.row, left.segments, { id: row.id, startsAt }, 'institute', now)
  const planned = await planMove(db, move, undefined, now, locale)
  const price = removed.priceAmount ?? 0
  const { totalAmount: total, currency, depositAmount, fees } = row
  const shares = await sharesOf(db, {
    price: Math.min(price, total),
    total,
    currency,
    paid: await depositLeft(db, row),
    deposit: depositAmount ?? 0,
    late: fees?.late ?? 0,
    noShow: fees?.noShow ?? 0,
  })
  return { removed, move, segments: left.segments, planned, totalAmount: Math.max(0, total - price), shares }
}

/** What a visit would be without one of its services. Nothing is changed, and nothing kept. */
export async function planOfRemoval(
  context: AppContext,
  { scope, locale }: Requester<ChangeScope>,
  asked: RemovalAsked,
): Promise<ServiceRemoval> {
  const { db } = context.database
  const row = await visitOf(db, scope, asked.id, false)
  const { planned, totalAmount, shares } = await removalOf(db, scope, row, asked, context.clock.now(), locale)
  const { currency } = row
  return {
    startsAt: instantText(instantOf(planned.plan.startsAt)),
    endsAt: instantText(instantOf(planned.plan.endsAt)),
    total: { amount: totalAmount, currency },
    refunded: { amount: shares.paid, currency },
  }
}

async function write(unit: Unit, row: AppointmentRow, { move, segments, planned, totalAmount, shares }: Removal) {
  const [startsAt, endsAt] = [instantOf(planned.plan.startsAt), instantOf(planned.plan.endsAt)]
  await removePlan(unit, row.id)
  await insertPlan(unit, row.id, rowsOf(planned, agreedOf(row, segments, move)))
  await markShortened(unit, {
    id: row.id,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    terms: termsAfterMove(row.terms, startsAt, unit.now),
    cart: move.cart,
    totalAmount,
    depositAmount: row.depositAmount === null ? null : row.depositAmount - shares.deposit,
    fees: row.fees && { late: row.fees.late - shares.late, noShow: row.fees.noShow - shares.noShow },
  })
  return { startsAt: instantText(startsAt), endsAt: instantText(endsAt) }
}

export async function removeService<T>(
  context: AppContext,
  who: Requester<ChangeScope>,
  asked: RemovalAsked,
  present: (visit: ShownVisit, now: Instant, db: Db) => T | Promise<T>,
): Promise<T> {
  const { scope, locale } = who
  const { id, segment, serviceId, version } = asked
  const { instituteId } = await visitOf(context.database.prepared, scope, id, false)
  const key = keyOf(who, { call: 'remove service', id, segment, serviceId })
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    await freeLapsed(unit)
    const now = unit.now
    const row = await visitOf(unit.db, scope, id, true)
    await checkSeen(unit.db, scope, row, version)
    const removal = await removalOf(unit.db, scope, row, asked, now, locale)
    const after = await write(unit, row, removal)
    const { removed, shares } = removal
    await returnShare(unit, scope.actor, row, shares.paid)
    const before = { startsAt: row.startsAt, endsAt: row.endsAt }
    unit.record('visit.shortened', id, { ...after, before, service: removed.snapshot.name, refunded: shares.paid })
    return present(await visitShown(unit.db, scope, id), now, unit.db)
  })
}
