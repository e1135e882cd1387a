/** What a visit becomes when it moves: who does it, and what it costs then. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import { type Instant, instantOf, minuteMs, minuteOf } from '@soigne/contract/time'
import type { ServiceParts, VisitPlan } from '@soigne/scheduling/model'
import { instantText, parseInstant } from '#/platform/instants.ts'
import {
  type Agreed,
  type ClientFacts,
  diaryForMove,
  nearestIn,
  nearestReachDays,
  planFor,
  plannedSegments,
  readStart,
  rowsOf,
  type VisitRequest,
  withNearest,
} from '#/features/booking/service.ts'
import { type LoadedInstitute, withLengths } from '#/features/availability/service.ts'
import {
  type AppointmentRow,
  type CartEntry,
  lengthByHand,
  mayBeCancelled,
  mayCancel,
  mayMove,
  type Party,
  priceKindOf,
  type SegmentRow,
  segmentsForWire,
  termsAfterMove,
  wireTerms,
} from '#/features/visits/service.ts'
import { ifCancelledNow } from '#/features/payments/service.ts'
import type { Db } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField, type RefusalError } from '#/platform/refuse.ts'

/** Who is wished for, for each line of the cart; one holds for all. */
export type Wishes = string | string[]
export type MovePlan = Answer<Calls['reschedulePlan']>

export interface MoveAsked {
  id: string
  /** Of the visit, or of the segment named. */
  startsAt: string
  /** Whom the client wishes for; who does it now where nothing is said. */
  staff?: Wishes | undefined
  /** Who does the segment named from now on, or all of it, as the institute says. */
  staffId?: string | undefined
  /** Place among the segments of the visit: it begins when asked, and the others go with it. */
  segment?: number | undefined
  /** Of the visit as it was seen. */
  version?: number | undefined
  /** Also where other visits need it at its time, as the institute says. */
  anyway?: true | undefined
  /** It stays where it is, and this service gets so much time. */
  resize?: { segment: number; minutes: number } | undefined
}

export interface Move {
  request: VisitRequest
  /** What is wished for from now on: who was wanted by name is replaced, who wanted anybody still does. */
  cart: CartEntry[]
  /** The segment that has to begin at an instant of its own. */
  fixed: { line: number; startsAt: number } | null
  by: Party
  /** Services whose time was given by hand, now or before, whatever the menu says. */
  parts: ReadonlyMap<string, ServiceParts>
  isResize: boolean
}

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

/** The services of a visit, each with whom is wished for: who does it now, unless somebody else is named, or any. */
export function wishedCart(row: AppointmentRow, segments: readonly SegmentRow[], staff: Wishes | undefined): CartEntry[] {
  if (staff === undefined) {
    const now = new Map(segments.map((segment) => [lineOf(segment), segment.memberId]))
    return row.cart.map((entry, line) => ({ ...entry, staffId: now.get(line) ?? entry.staffId ?? 'any' }))
  }
  const wishes = [staff].flat()
  if (wishes.length !== 1 && wishes.length !== row.cart.length) throw refuseField('staff', 'invalid')
  return row.cart.map((entry, line) => ({ ...entry, staffId: wishes[line] ?? wishes[0] ?? 'any' }))
}

/** With so many minutes in all: what its member does last becomes longer or shorter. @throws bad_input */
function resizedParts({ startsAt, endsAt, snapshot }: SegmentRow, minutes: number): ServiceParts {
  const { activeMinutes: active = (parseInstant(endsAt) - parseInstant(startsAt)) / minuteMs, idleMinutes: idle = 0 } =
    snapshot as Partial<ServiceParts>
  if (idle === 0) return { activeMinutes: minutes, idleMinutes: 0, activeAfterMinutes: 0 }
  const after = minutes - active - idle
  if (after < 5) throw refuseField('durationMinutes', 'invalid')
  return { activeMinutes: active, idleMinutes: idle, activeAfterMinutes: after }
}

/** @throws not_offered where the same service comes twice and only one of them should take that long */
function partsOf(segments: readonly SegmentRow[], resize: MoveAsked['resize']): Map<string, ServiceParts> {
  const parts = new Map<string, ServiceParts>()
  for (const segment of segments) {
    const isMeant = resize?.segment === segment.position
    const given = isMeant ? resizedParts(segment, resize.minutes) : lengthByHand(segment)
    if (!given) continue
    if (segments.some((other) => other !== segment && other.serviceId === segment.serviceId))
      throw refuse('not_offered', { reason: 'other' })
    parts.set(segment.serviceId, given)
  }
  return parts
}

const isByName = ({ staffId }: CartEntry): boolean => staffId !== undefined && staffId !== 'any'

export function moveOf(row: AppointmentRow, segments: readonly SegmentRow[], asked: MoveAsked, by: Party, now: Instant): Move {
  const { id, staff, staffId, segment: place } = asked
  const startsAt = readStart(asked.startsAt, now)
  const request = { instituteId: row.instituteId, ignoreAppointmentId: id }
  if (asked.resize && !segments.some(({ position }) => position === asked.resize?.segment)) throw refuseField('segment', 'invalid')
  const given = { by, parts: partsOf(segments, asked.resize), isResize: asked.resize !== undefined }
  if (by === 'client') {
    const cart = wishedCart(row, segments, staff)
    const newStaffIds = staff === undefined ? [] : [staff].flat()
    return { request: { ...request, cart, startsAt, newStaffIds }, cart: staff === undefined ? row.cart : cart, fixed: null, ...given }
  }
  const segment = place === undefined ? undefined : segments.find(({ position }) => position === place)
  if (place !== undefined && !segment) throw refuseField('segment', 'invalid')
  const fixed = segment ? { line: lineOf(segment), startsAt } : null
  const isMeant = (line: number): boolean => staffId !== undefined && (!fixed || fixed.line === line)
  const withMember = (entry: CartEntry, line: number): CartEntry => (isMeant(line) ? { ...entry, staffId: staffId ?? 'any' } : entry)
  return {
    request: {
      ...request,
      // Who does it now goes on doing it: an institute that shifts a visit does not mean to give it to another.
      cart: (by === 'institute' ? wishedCart(row, segments, undefined) : row.cart).map(withMember),
      startsAt: startsAt - (segment ? parseInstant(segment.startsAt) - parseInstant(row.startsAt) : 0),
      ...(staffId !== undefined && { newStaffIds: [staffId] }),
      forInstitute: true,
    },
    cart: row.cart.map((entry, line) => (isByName(entry) ? withMember(entry, line) : entry)),
    fixed,
    ...given,
  }
}

export interface PlannedMove {
  loaded: LoadedInstitute
  plan: VisitPlan
}

/** The plan of a move. @throws the refusal where there is none */
export async function planMove(
  db: Db,
  { request, fixed, parts, isResize }: Move,
  client: ClientFacts | undefined,
  now: Instant,
  locale: Locale,
): Promise<PlannedMove> {
  if (request.forInstitute && request.startsAt < now && !isResize) throw refuse('not_offered', { reason: 'past' })
  const there = await diaryForMove(db, request, now)
  const loaded = { ...there, diary: withLengths(there.diary, parts) }
  const answer = planFor(loaded, request, client, now, locale)
  if (!answer.ok) throw answer.refusal
  const { plan } = answer
  // The others may have to wait for somebody, and with them the one that was named.
  if (fixed && plan.segments.find(({ line }) => line === fixed.line)?.startsAt !== minuteOf(fixed.startsAt))
    throw refuse('slot_taken', { reason: 'taken' })
  return { loaded, plan }
}

/** Adds to a refusal of a move the free times near it, for services that take the time they were given by hand. */
export async function withNearestMoves(
  context: AppContext,
  refusal: RefusalError,
  { request, parts }: Move,
  client: ClientFacts | undefined,
  now: Instant,
): Promise<RefusalError> {
  if (parts.size === 0) return withNearest(context, refusal, request, client, now)
  const startsAt = Math.max(request.startsAt, now)
  const loaded = await diaryForMove(context.database.prepared, { ...request, startsAt }, now, nearestReachDays + 1)
  const nearest = nearestIn({ ...loaded, diary: withLengths(loaded.diary, parts) }, request, client, now)
  return refuse(refusal.code, { ...refusal.details, nearest })
}

/**
 * What holds from before a move, by line of the cart. With the same person, by the will of the institute, or once something was paid: the
 * price agreed. With somebody the client names: what they ask. With anyone: never more than was agreed.
 */
export function agreedOf(
  row: AppointmentRow,
  segments: readonly SegmentRow[],
  { request, by, parts }: Pick<Move, 'request' | 'by' | 'parts'>,
): Map<number, Agreed> {
  const isKept = by !== 'client' || row.payment !== 'none'
  return new Map(
    segments.map((segment) => {
      const line = lineOf(segment)
      const { memberId: before, priceAmount: agreed } = segment
      const isNamed = isByName(request.cart[line] ?? { serviceId: segment.serviceId })
      const agreement: Agreed = {
        name: segment.snapshot.name,
        priceKind: priceKindOf(segment),
        isResized: parts.has(segment.serviceId),
        priceWith(memberId, asks) {
          const own = asks(memberId)
          // A menu that has become dearer since is no reason to ask more of who only changes the person.
          if (isKept || memberId === before || agreed === null || own === null || own === asks(before)) return agreed
          return isNamed ? own : Math.min(agreed, own)
        },
      }
      return [line, agreement]
    }),
  )
}

/** What a visit comes to after a move: what it came to, with what its prices have changed by. */
export function totalAfter(row: AppointmentRow, before: readonly SegmentRow[], { totalAmount }: { totalAmount: number }): number {
  return row.totalAmount + totalAmount - before.reduce((sum, { priceAmount }) => sum + (priceAmount ?? 0), 0)
}

/** A plan as it is told: made with these people by name, so that moving with them costs exactly this. */
export function planForWire(
  row: AppointmentRow,
  before: readonly SegmentRow[],
  move: Move,
  { loaded, plan }: PlannedMove,
  locale: Locale,
): MovePlan {
  const staff = plan.segments.toSorted((one, other) => one.line - other.line).map(({ memberId }) => memberId)
  const named = { ...move, request: { ...move.request, cart: wishedCart(row, before, staff) } }
  const rows = rowsOf({ loaded, plan }, agreedOf(row, before, named))
  const { currency } = row
  return {
    startsAt: instantText(instantOf(plan.startsAt)),
    endsAt: instantText(instantOf(plan.endsAt)),
    segments: segmentsForWire(plannedSegments(loaded, row.id, rows.segments), currency, locale),
    total: { amount: totalAfter(row, before, rows), currency },
    staff,
  }
}

/** What holds for the client once a visit has moved as planned: until when it is free, and what cancelling it then does with the money. */
export async function afterwardsOf(
  db: Db,
  row: AppointmentRow,
  { startsAt, endsAt, total }: MovePlan,
  now: Instant,
): Promise<MovePlan['afterwards']> {
  const start = parseInstant(startsAt)
  const terms = termsAfterMove(row.terms, start, now)
  const after: AppointmentRow = { ...row, startsAt, endsAt, terms, totalAmount: total.amount }
  const canCancel = mayBeCancelled(after, now)
  const sums = canCancel ? await ifCancelledNow(db, after, now) : null
  const money = (amount: number) => ({ amount, currency: row.currency })
  return {
    freeUntil: wireTerms(terms).freeUntil,
    canCancel,
    canReschedule: mayMove(terms, start, now),
    ifCancelled: sums && {
      refunded: money(sums.refunded - sums.atBank),
      kept: money(sums.kept),
      charged: money(sums.charged),
      ...(sums.atSalon > 0 && { atSalon: money(sums.atSalon) }),
      ...(sums.atBank > 0 && { atBank: money(sums.atBank) }),
      ...(row.sessionsWorth !== null && { sessions: mayCancel(terms, now) ? 'back' : 'gone' }),
    },
  }
}
