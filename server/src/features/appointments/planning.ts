/** Decides a visit from the diary: first without a lock to answer hopeless wishes quickly, then again inside the lock, where it counts. */
import type { Locale } from '@soigne/contract/wire'
import type { CartLine, ClientFacts, RefusalReason, VisitPlan } from '@soigne/scheduling/model'
import { nearestOffers } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { type LoadedInstitute, loadDiary, priceWith } from '#/features/availability/service.ts'
import type { Db } from '#/platform/database.ts'
import { refuse, refuseField, type Refusal } from '#/platform/refuse.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { localised } from '#/texts/words.ts'
import { type CartWish, findPerson, type NewOccupation, type NewSegment, pastServices } from './store.ts'
import type { SegmentRow } from './visit-store.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** How far around a lost time others are looked for. */
const nearestReachDays = 7

export interface Wish {
  instituteId: string
  cart: CartWish[]
  /** Milliseconds since the epoch, a whole minute. */
  startsAt: number
  /** A visit being moved does not stand in its own way. */
  ignoreAppointmentId?: string
}

/** Reads an instant of the wire; refuses what is no instant, or further away than any institute books. */
export function readStart(text: string, now: number): number {
  let instant: number
  try {
    instant = Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw refuseField('startsAt', 'date')
  }
  if (instant < now - dayMs || instant > now + 400 * dayMs) throw refuseField('startsAt', 'date')
  if (instant % minuteMs !== 0) throw refuse('not_offered', { reason: 'off_grid', nearest: [] })
  return instant
}

const linesOf = (cart: CartWish[]): CartLine[] =>
  cart.map(({ serviceId, staffId }) => (staffId && staffId !== 'any' ? { serviceId, memberId: staffId } : { serviceId }))

export interface Planned {
  loaded: LoadedInstitute
  plan: VisitPlan
}

/** Members and resources that any plan of this cart could use. */
export function subjectsOf(loaded: LoadedInstitute, cart: CartWish[]): string[] {
  const { diary } = loaded
  const types = new Set(cart.map(({ serviceId }) => diary.services.get(serviceId)?.resourceType))
  const members = diary.members.filter((member) =>
    cart.some(({ serviceId, staffId }) => (staffId && staffId !== 'any' ? staffId === member.id : member.performs.has(serviceId))),
  )
  return [...members.map(({ id }) => id), ...diary.resources.filter(({ type }) => types.has(type)).map(({ id }) => id)]
}

/** What the engine must know of the person, read only when a service asks for it. */
export async function factsOf(db: Db, loaded: LoadedInstitute, wish: Wish, userId: string, now: number): Promise<ClientFacts | undefined> {
  const asks = wish.cart.some(({ serviceId }) => (loaded.diary.services.get(serviceId)?.prerequisites.length ?? 0) > 0)
  if (!asks) return undefined
  const [person, past] = [
    await findPerson(db, userId),
    await pastServices(db, { instituteId: wish.instituteId, userId, now: new Date(now) }),
  ]
  return {
    ...(person?.birthday ? { birthday: person.birthday } : {}),
    pastVisits: past.map(({ serviceId, endedAt }) => ({ serviceId, endedAt: Date.parse(endedAt) / minuteMs })),
  }
}

/** What the institute's diary says around a start of those whom the cart could use; refuses unknown institutes, services and members, and institutes that take no bookings. */
export async function diaryAround(db: Db, wish: Wish, now: number, reachDays = 1): Promise<LoadedInstitute> {
  const loaded = await loadDiary(db, {
    instituteId: wish.instituteId,
    from: new Date(wish.startsAt - reachDays * dayMs),
    to: new Date(wish.startsAt + reachDays * dayMs),
    now: new Date(now),
    cart: linesOf(wish.cart),
    ...(wish.ignoreAppointmentId && { ignoreAppointmentId: wish.ignoreAppointmentId }),
  })
  // Whoever moves a visit has found it; what is gone since is no offer any more.
  const isMove = wish.ignoreAppointmentId !== undefined
  const gone = (reason: RefusalReason, details?: Record<string, string>): Refusal =>
    isMove ? refuse('not_offered', { reason, nearest: [] }) : refuse('not_found', details)
  if (!loaded || loaded.institute.state !== 'published') throw gone('closed')
  if (!loaded.institute.claimed) throw refuse('not_bookable')
  for (const { serviceId, staffId } of wish.cart) {
    if (!loaded.diary.services.has(serviceId)) throw gone('unknown_service', { serviceId })
    if (staffId && staffId !== 'any' && !loaded.diary.members.some((member) => member.id === staffId))
      throw gone('unknown_member', { staffId })
  }
  return loaded
}

const takenReasons: ReadonlySet<RefusalReason> = new Set(['taken', 'buffer', 'no_resource', 'wait_too_long'])

/** The plan, or the refusal the engine gives. */
export function planFor(
  loaded: LoadedInstitute,
  wish: Wish,
  client: ClientFacts | undefined,
  now: number,
  locale: Locale,
): { ok: true; plan: VisitPlan } | { ok: false; refusal: Refusal; wantsNearest: boolean } {
  const answer = planVisit(loaded.diary, linesOf(wish.cart), wish.startsAt / minuteMs, { now: now / minuteMs, ...(client && { client }) })
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

type FreeTimes = { startsAt: string; endsAt: string }[]
const nearestReads = singleFlight<FreeTimes>()

async function nearestTo(db: Db, wish: Wish, client: ClientFacts | undefined, now: number): Promise<FreeTimes> {
  const around = Math.max(wish.startsAt, now)
  const loaded = await diaryAround(db, { ...wish, startsAt: around }, now, nearestReachDays + 1)
  const offers = nearestOffers(loaded.diary, linesOf(wish.cart), around / minuteMs, {
    now: now / minuteMs,
    limit: 5,
    withinDays: nearestReachDays,
    ...(client && { client }),
  })
  return offers.map(({ startsAt, endsAt }) => ({
    startsAt: new Date(startsAt * minuteMs).toISOString(),
    endsAt: new Date(endsAt * minuteMs).toISOString(),
  }))
}

/** Adds the nearest free times to a refusal, read outside any lock and once for all who lost the same race. */
export async function withNearest(db: Db, refusal: Refusal, wish: Wish, client: ClientFacts | undefined, now: number): Promise<Refusal> {
  const find = (): Promise<FreeTimes> => nearestTo(db, wish, client, now)
  // What a service asks of the person makes the times theirs alone.
  const nearest = client ? await find() : await nearestReads(JSON.stringify(wish), find)
  return refuse(refusal.code, { ...refusal.details, nearest })
}

/** What was agreed for one line of the cart, kept through moves. */
export interface Agreed {
  name: SegmentRow['snapshot']['name']
  priceAmount: number | null
}

/** The rows a plan becomes. Prices are a snapshot: the member's own, else the menu's; `agreed` holds prices and names by line from before a move. */
export function rowsOf(
  planned: Planned,
  agreed?: ReadonlyMap<number, Agreed>,
): { segments: NewSegment[]; occupations: NewOccupation[]; totalAmount: number } {
  const { plan, loaded } = planned
  const at = (minute: number): Date => new Date(minute * minuteMs)
  const segments = plan.segments.map((segment): NewSegment => {
    const service = loaded.serviceDetails.get(segment.serviceId)
    const before = agreed?.get(segment.line)
    return {
      serviceId: segment.serviceId,
      memberId: segment.memberId,
      resourceId: segment.resourceId ?? null,
      startsAt: at(segment.startsAt),
      endsAt: at(segment.endsAt),
      snapshot: {
        name: before?.name ?? service?.name ?? {},
        priceKind: service?.priceKind ?? 'fixed',
        line: segment.line,
        ...segment.parts,
      },
      priceAmount: before ? before.priceAmount : priceWith(loaded, segment.serviceId, segment.memberId),
    }
  })
  const occupations = plan.occupations.map((occupation): NewOccupation => ({
    kind: occupation.subject,
    subjectId: occupation.id,
    from: at(occupation.from),
    to: at(occupation.to),
  }))
  return { segments, occupations, totalAmount: segments.reduce((sum, { priceAmount }) => sum + (priceAmount ?? 0), 0) }
}
