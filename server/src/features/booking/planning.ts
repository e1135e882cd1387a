/** Decides a visit from the diary: what the engine plans, or the refusal it gives, with the nearest free times. */
import type { FreeTime, Locale, PriceKind } from '@soigne/contract/wire'
import type { CartLine, ClientFacts, InstituteDiary, RefusalReason, VisitPlan } from '@soigne/scheduling/model'
import { nearestOffers } from '@soigne/scheduling/offers'
import { type LastReading, planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { dayMs, type Instant, minuteMs, minuteOf } from '@soigne/contract/time'
import { LRUCache } from 'lru-cache'
import { minuteOfText, minuteText } from '#/platform/instants.ts'
import {
  isOnRequest,
  type LoadedInstitute,
  liveDiary,
  loadDiary,
  menuPrice,
  priceWith,
  timesOf,
  verifiedDiary,
} from '#/features/availability/service.ts'
import type { Home } from '#/features/at-home/service.ts'
import type { CartEntry } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse, refuseField, type RefusalError } from '#/platform/refuse.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { localised } from '#/texts/translate.ts'
import { birthdayOf, type NewPlan, type NewSegment, servicesBooked } from './store.ts'

/** How far around a lost time others are looked for. */
export const nearestReachDays = 7

/** A cart at a time, as somebody asks for it. */
export interface VisitRequest {
  instituteId: string
  cart: readonly CartEntry[]
  /** Milliseconds since the epoch, a whole minute. */
  startsAt: Instant
  /** Where a visit at home is, while it is held for the first time. */
  home?: Home | undefined
  /** A visit being moved does not stand in its own way. */
  ignoreAppointmentId?: string
  /** Those who were named for it now, not when it was booked. */
  newStaffIds?: readonly string[]
  /** The institute moves it: neither notice nor grid bind it, nor who can be booked online. */
  forInstitute?: boolean
}

/** Reads an instant of the wire; refuses what is no instant, or further away than any institute books. */
export function readStart(text: string, now: Instant): Instant {
  let instant: Instant
  try {
    instant = Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw refuseField('startsAt', 'date')
  }
  if (instant < now - dayMs || instant > now + 400 * dayMs) throw refuseField('startsAt', 'date')
  if (instant % minuteMs !== 0) throw refuse('not_offered', { reason: 'off_grid', nearest: [] })
  return instant
}

export const linesOf = (cart: readonly CartEntry[]): CartLine[] =>
  cart.map(({ serviceId, staffId, atHome }) => ({
    serviceId,
    ...(staffId && staffId !== 'any' && { memberId: staffId }),
    ...(atHome && { atHome }),
  }))

const hasPrerequisites = (loaded: LoadedInstitute, cart: readonly CartEntry[]): boolean =>
  cart.some(({ serviceId }) => (loaded.diary.services.get(serviceId)?.prerequisites.length ?? 0) > 0)

/** What the engine must know of the person, read only when a service asks for it. */
export async function factsOf(db: Db, loaded: LoadedInstitute, request: VisitRequest, scope: SelfScope): Promise<ClientFacts | undefined> {
  if (!hasPrerequisites(loaded, request.cart)) return undefined
  const birthday = await birthdayOf(db, scope)
  const visits = await servicesBooked(db, scope, { instituteId: request.instituteId, exceptId: request.ignoreAppointmentId ?? null })
  return {
    ...(birthday ? { birthday } : {}),
    visits: visits.map(({ serviceId, endsAt }) => ({ serviceId, endsAt: minuteOfText(endsAt) })),
  }
}

/** @throws not_found for unknown institutes, services and members, not_bookable for an institute that takes no bookings, price_on_request */
export function checkCart(loaded: LoadedInstitute | null, request: VisitRequest): LoadedInstitute {
  // Whoever moves a visit has found it; what is gone since is no offer any more.
  const isMove = request.ignoreAppointmentId !== undefined
  const gone = (reason: RefusalReason, details?: Record<string, string>): RefusalError =>
    isMove ? refuse('not_offered', { reason, nearest: [] }) : refuse('not_found', details)
  if (!loaded || loaded.institute.state !== 'published') throw gone('closed')
  if (!loaded.institute.claimed) throw refuse('not_bookable')
  for (const { serviceId, staffId } of request.cart) {
    if (!loaded.diary.services.has(serviceId)) throw gone('unknown_service', { serviceId })
    if (staffId && staffId !== 'any' && !loaded.diary.members.some((member) => member.id === staffId))
      throw request.newStaffIds?.includes(staffId) ? refuse('not_found', { staffId }) : gone('unknown_member', { staffId })
    // What the institute has agreed to and booked itself may be moved.
    if (!isMove && isOnRequest(loaded, serviceId)) throw refuse('price_on_request', { serviceId })
  }
  return loaded
}

/** The diary around the start of a visit that is moved: its own time counts as free. */
export async function diaryForMove(db: Db, request: VisitRequest, now: Instant, reachDays = 1): Promise<LoadedInstitute> {
  const loaded = await loadDiary(db, {
    instituteId: request.instituteId,
    from: new Date(request.startsAt - reachDays * dayMs),
    to: new Date(request.startsAt + reachDays * dayMs),
    now: new Date(now),
    cart: linesOf(request.cart),
    ...(request.ignoreAppointmentId && { ignoreAppointmentId: request.ignoreAppointmentId }),
  })
  return checkCart(loaded, request)
}

const takenReasons: ReadonlySet<RefusalReason> = new Set(['taken', 'buffer', 'no_resource', 'wait_too_long', 'full'])

export type PlanOrRefusal = { ok: true; plan: VisitPlan } | { ok: false; refusal: RefusalError; wantsNearest: boolean }

/** By the menu, which a diary keeps while visits come and go: in a rush the next visit of an institute is often on the same day. */
const readings = new LRUCache<InstituteDiary['services'], LastReading>({ max: 100 })
/** For who asks for anyone: one who is named is read at once. */
function lastReading({ services }: InstituteDiary, cart: readonly CartLine[]): LastReading | undefined {
  if (cart.every(({ memberId }) => memberId !== undefined)) return undefined
  const last = readings.get(services) ?? {}
  readings.set(services, last)
  return last
}

/** The plan, or the refusal the engine gives. */
export function planFor(
  loaded: LoadedInstitute,
  request: VisitRequest,
  client: ClientFacts | undefined,
  now: Instant,
  locale: Locale,
): PlanOrRefusal {
  const cart = linesOf(request.cart)
  const asking = { now: minuteOf(now), ...(client && { client }), ...(request.forInstitute && { forInstitute: true }) }
  const answer = planVisit(loaded.diary, cart, minuteOf(request.startsAt), asking, lastReading(loaded.diary, cart))
  if (answer.ok) return answer
  if (answer.reason === 'prerequisite' && answer.prerequisite) {
    const { prerequisite } = answer
    const details =
      prerequisite.kind === 'prior_service'
        ? { ...prerequisite, serviceName: localised(loaded.serviceDetails.get(prerequisite.serviceId)?.name ?? null, locale) }
        : { ...prerequisite, birthdayKnown: client?.birthday !== undefined }
    return { ok: false, refusal: refuse('prerequisite_missing', { prerequisite: details }), wantsNearest: false }
  }
  return {
    ok: false,
    refusal: refuse(takenReasons.has(answer.reason) ? 'slot_taken' : 'not_offered', { reason: answer.reason }),
    wantsNearest: true,
  }
}

/** Free times near to the one asked for, in a diary that reaches so far. */
export function nearestIn({ diary }: LoadedInstitute, request: VisitRequest, client: ClientFacts | undefined, now: Instant): FreeTime[] {
  const offers = nearestOffers(diary, linesOf(request.cart), minuteOf(Math.max(request.startsAt, now) as Instant), {
    now: minuteOf(now),
    limit: 5,
    withinDays: nearestReachDays,
    ...(client && { client }),
  })
  return timesOf(offers)
}

const nearestReads = singleFlight<FreeTime[]>()

async function nearestTo(context: AppContext, request: VisitRequest, client: ClientFacts | undefined, now: Instant): Promise<FreeTime[]> {
  const around = Math.max(request.startsAt, now)
  const state = request.ignoreAppointmentId === undefined ? await verifiedDiary(context, request.instituteId, now) : null
  const loaded = state
    ? checkCart(liveDiary(state, now), request)
    : await diaryForMove(context.database.prepared, { ...request, startsAt: around }, now, nearestReachDays + 1)
  return nearestIn(loaded, request, client, now)
}

/** Adds the nearest free times to a refusal, read outside any lock and once for all who lost the same race. */
export async function withNearest(
  context: AppContext,
  refusal: RefusalError,
  request: VisitRequest,
  client: ClientFacts | undefined,
  now: Instant,
): Promise<RefusalError> {
  const find = (): Promise<FreeTime[]> => nearestTo(context, request, client, now)
  // What a service asks of the person makes the times theirs alone.
  const nearest = client ? await find() : await nearestReads(JSON.stringify(request), find)
  return refuse(refusal.code, { ...refusal.details, nearest })
}

/** What was agreed for one line of the cart, kept through moves. */
export interface Agreed {
  name: Partial<Record<string, string>>
  priceKind: PriceKind
  /** Its time was given by hand, and stays. */
  isResized?: boolean
  /** What it costs with a member; `asks` says what each asks for that day now. */
  priceWith(memberId: string, asks: (memberId: string) => number | null): number | null
}

/** The rows a plan becomes. Prices are a snapshot: the member's own, else the menu's of the visit's day; `agreed` says by line what holds from before a move. */
export function rowsOf(
  { loaded, plan }: { loaded: LoadedInstitute; plan: VisitPlan },
  agreed?: ReadonlyMap<number, Agreed>,
): NewPlan & { totalAmount: number } {
  const day = dayOf(loaded.institute.timeZone, plan.startsAt)
  const segments = plan.segments.map((segment, position): NewSegment => {
    const service = loaded.serviceDetails.get(segment.serviceId)
    const before = agreed?.get(segment.line)
    const asks = (memberId: string) => priceWith(loaded, segment.serviceId, memberId, day)
    return {
      position,
      serviceId: segment.serviceId,
      memberId: segment.memberId,
      resourceId: segment.resourceId ?? null,
      startsAt: minuteText(segment.startsAt),
      endsAt: minuteText(segment.endsAt),
      snapshot: {
        name: before?.name ?? service?.name ?? {},
        priceKind: before?.priceKind ?? (service ? menuPrice(service, day).priceKind : 'fixed'),
        line: segment.line,
        ...(before?.isResized && { isResized: true }),
        ...segment.parts,
        ...(segment.travelMinutes !== undefined && { travelMinutes: segment.travelMinutes }),
      },
      priceAmount: before ? before.priceWith(segment.memberId, asks) : asks(segment.memberId),
    }
  })
  const occupations = plan.occupations.map((occupation) => ({
    kind: occupation.subject,
    subjectId: occupation.id,
    from: minuteText(occupation.from),
    to: minuteText(occupation.to),
  }))
  return {
    segments,
    occupations,
    sessionId: plan.sessionId ?? null,
    totalAmount: segments.reduce((sum, { priceAmount }) => sum + (priceAmount ?? 0), 0),
  }
}
