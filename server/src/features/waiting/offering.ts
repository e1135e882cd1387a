/** Going through a waiting list: time that fell free is held for the first that fits, then for the next. */
import { randomUUIDv7 } from 'node:crypto'
import { dayMs, type Instant, instantOf, minuteMs, minuteOf } from '@soigne/contract/time'
import { allThatFit, firstThatFits, type FreedTime, type WaitingRequest } from '@soigne/scheduling/waiting-list'
import { agreedOf } from '#/features/appointments/service.ts'
import { type Home, isWithinReach, keepHome } from '#/features/at-home/service.ts'
import { type LoadedInstitute, loadDiary, withLengths } from '#/features/availability/service.ts'
import { factsOf, freeLapsed, holdPlan, linesOf, planFor, type VisitRequest } from '#/features/booking/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  lengthsByHand,
  type SegmentRow,
  segmentsOf,
  type Terms,
  termsAfterMove,
  termsFor,
} from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { minuteOfText, parseInstant, instantText } from '#/platform/instants.ts'
import {
  type AtInstitute,
  type CandidateRow,
  candidates,
  forgetEntries,
  forgetHomes,
  homeOfEntry,
  insertOffer,
  institutesWithOpenings,
  takeOpenings,
} from './offers-store.ts'

const system = systemScope('offer time that fell free')

/** Hours of the institute in which no offer is begun and nobody is written to. */
const quiet = { from: 22, to: 8 }
export function isQuiet(timeZone: string, now: Instant): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  return hour >= quiet.from || hour < quiet.to
}

/** Nobody books further ahead, and no diary is read for longer at once. */
const longestOpening = 62 * dayMs

/** Time of the institute, or of one member alone. */
export interface Freed {
  from: Instant
  to: Instant
  memberId?: string
}

const timeOf = ({ from, to, memberId }: Freed): FreedTime => ({ from: minuteOf(from), to: minuteOf(to), memberId })

export const diaryAround = ({ db, instituteId, now }: AtInstitute, { from, to }: Freed): Promise<LoadedInstitute | null> =>
  loadDiary(db, { instituteId, from: new Date(from - dayMs), to: new Date(to + dayMs), now: new Date(now) })

/** What is asked for at home is done there still. An earlier time than a visit is where that is, and moves as it does. */
const isReachable = ({ institute, serviceDetails }: LoadedInstitute, { cart, visitId }: CandidateRow): boolean =>
  visitId !== null ||
  cart.every(({ serviceId, atHome = false }) => {
    const venue = serviceDetails.get(serviceId)?.venue
    return atHome ? venue !== 'salon' && institute.homeRadiusKm !== null : venue !== 'home'
  })

/** Where a visit at home would be, if the institute goes so far still; undefined where it does not. */
async function homeFor(unit: Unit, loaded: LoadedInstitute, { id, cart, visitId }: CandidateRow): Promise<Home | null | undefined> {
  if (visitId !== null || !cart.some(({ atHome }) => atHome)) return null
  const home = await homeOfEntry(unit, id)
  return home !== null && isWithinReach(loaded, home) ? home : undefined
}

/** What somebody asked for, as the engine reads it. An offer that ended after its visit began would be none. */
async function requestOf(unit: AtInstitute, loaded: LoadedInstitute, one: CandidateRow, until: Instant): Promise<WaitingRequest | null> {
  const isKnown = one.cart.every(
    ({ serviceId, staffId }) =>
      loaded.diary.services.has(serviceId) && (!staffId || staffId === 'any' || loaded.diary.members.some(({ id }) => id === staffId)),
  )
  if (!isKnown || !isReachable(loaded, one)) return null
  const visit = { instituteId: unit.instituteId, cart: one.cart, startsAt: unit.now }
  const client = await factsOf(unit.db, loaded, visit, system.user(one.userId))
  return {
    id: one.id,
    cart: linesOf(one.cart),
    fromDay: one.fromDay,
    toDay: one.toDay,
    part: one.part ?? undefined,
    ...(one.opensAt !== null && one.closesAt !== null && { hours: { opensAt: one.opensAt, closesAt: one.closesAt } }),
    ...(one.visitStartsAt !== null && { before: minuteOfText(one.visitStartsAt) }),
    askedAt: minuteOfText(one.createdAt),
    declined: [],
    apart: [
      { from: minuteOf(unit.now), to: minuteOf(until) },
      ...one.apart.map(({ from, to }) => ({ from: minuteOfText(from), to: minuteOfText(to) })),
    ],
    ...(client && { client }),
  }
}

interface Before {
  row: AppointmentRow
  segments: SegmentRow[]
}
/** The visit that an earlier time is wished for. */
async function visitBefore(unit: Unit, { visitId }: CandidateRow): Promise<Before | null> {
  const scope = system.institute(unit.instituteId)
  const row = visitId === null ? null : await findVisit(unit.db, scope, { id: visitId })
  return row && { row, segments: (await segmentsOf(unit.db, scope, [row.id])).get(row.id) ?? [] }
}

type Kept = { terms: Terms; agreed?: ReturnType<typeof agreedOf> }

/** A time that comes instead of that of a visit keeps its terms and prices, as one to which it is moved does. */
function keptOf(unit: Unit, loaded: LoadedInstitute, before: Before | null, request: VisitRequest): Kept {
  if (!before) return { terms: termsFor(loaded.institute, request.startsAt) }
  const { row, segments } = before
  const terms = termsAfterMove(row.terms, request.startsAt, unit.now)
  // What was wished for before the order of a visit was kept has lines of its own.
  const isInOrder = row.cart.every(({ serviceId }, line) => request.cart[line]?.serviceId === serviceId)
  const parts = lengthsByHand(segments)
  return { terms, ...(isInOrder && { agreed: agreedOf(row, segments, { request, by: 'client', parts }) }) }
}

interface When {
  startsAt: Instant
  until: Instant
  memberId?: string | undefined
}
/** What is held for somebody now. */
export interface Offered extends Pick<CandidateRow, 'firstName' | 'lastName'> {
  startsAt: Instant
  until: Instant
}

/** Holds a time for one who waits. Null when it cannot be planned after all. */
async function offerTo(unit: Unit, around: LoadedInstitute, one: CandidateRow, when: When): Promise<Offered | null> {
  const { startsAt, until, memberId } = when
  const before = await visitBefore(unit, one)
  const loaded = { ...around, diary: withLengths(around.diary, lengthsByHand(before?.segments ?? [])) }
  const scope = system.user(one.userId)
  const request = { instituteId: unit.instituteId, cart: one.cart, startsAt }
  const client = await factsOf(unit.db, loaded, request, scope)
  // Whom somebody wished for stays as they said it; who does it is decided here.
  const cart = memberId === undefined ? one.cart : one.cart.map((line) => ({ ...line, staffId: memberId }))
  const home = await homeFor(unit, loaded, one)
  const answer = planFor(loaded, { ...request, cart }, client, unit.now, 'en')
  if (!answer.ok || home === undefined) return null
  const { plan } = answer
  const kept = keptOf(unit, loaded, before, request)
  const holdId = await holdPlan(unit, scope, { request, loaded, plan, expiresAt: until, ...kept, isOffer: true })
  if (home) await keepHome(unit, holdId, home)
  const id = randomUUIDv7()
  const endsAt = instantOf(plan.endsAt)
  const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt), until: new Date(until), now: new Date(unit.now) }
  await insertOffer(unit, { id, entryId: one.id, userId: one.userId, holdId, ...times })
  unit.record('waiting.offered', one.id, {
    offerId: id,
    userId: one.userId,
    appointmentId: holdId,
    startsAt: instantText(startsAt),
    endsAt: instantText(endsAt),
    until: instantText(until),
  })
  return { firstName: one.firstName, lastName: one.lastName, startsAt, until }
}

const isOpen = (loaded: LoadedInstitute | null): loaded is LoadedInstitute =>
  loaded?.institute.state === 'published' && loaded.institute.claimed

/** Who waits, and what each asks for, in the order they asked. */
async function requestsOf(
  unit: AtInstitute,
  loaded: LoadedInstitute,
  waiting: readonly CandidateRow[],
  until: Instant,
): Promise<WaitingRequest[]> {
  const requests: WaitingRequest[] = []
  for (const one of waiting) {
    const request = await requestOf(unit, loaded, one, until)
    if (request) requests.push(request)
  }
  return requests
}

/** Goes through the list for one stretch until nobody fits any more. Whoever has been held something is not asked again. */
export async function goThrough(context: AppContext, unit: Unit, freed: Freed, served = new Set<string>()): Promise<Offered[]> {
  const until = unit.now + context.settings.offerMinutes * minuteMs
  const waiting = (await candidates(unit)).filter(({ userId }) => !served.has(userId))
  const made: Offered[] = []
  let loaded = await diaryAround(unit, freed)
  if (!isOpen(loaded)) return made
  let requests = await requestsOf(unit, loaded, waiting, until)
  while (loaded && requests.length > 0) {
    const match = firstThatFits(loaded.diary, requests, timeOf(freed), minuteOf(unit.now))
    if (!match) break
    const one = waiting.find(({ id }) => id === match.request.id)
    const when = { startsAt: instantOf(match.offer.startsAt), until, memberId: freed.memberId }
    const offered: Offered | null = one ? await offerTo(unit, loaded, one, when) : null
    if (one && offered) {
      made.push(offered)
      served.add(one.userId)
      loaded = await diaryAround(unit, freed)
    }
    const mine = new Set(waiting.filter(({ userId }) => userId === one?.userId).map(({ id }) => id))
    requests = requests.filter(({ id }) => id !== match.request.id && !(offered && mine.has(id)))
  }
  return made
}

/** So many who wait are looked at where nothing is held. */
const mostRead = 60

/** For each stretch who waits for something that would fit into it, in the order they asked; read, and nothing held. */
export async function whoFits(
  { settings }: Pick<AppContext, 'settings'>,
  unit: AtInstitute,
  loaded: LoadedInstitute,
  stretches: readonly FreedTime[],
): Promise<CandidateRow[][]> {
  if (!isOpen(loaded) || stretches.length === 0) return stretches.map(() => [])
  const waiting = (await candidates(unit)).slice(0, mostRead)
  const requests = await requestsOf(unit, loaded, waiting, unit.now + settings.offerMinutes * minuteMs)
  return stretches.map((freed) => {
    const people = allThatFit(loaded.diary, requests, freed, minuteOf(unit.now)).flatMap(
      ({ request }) => waiting.find(({ id }) => id === request.id) ?? [],
    )
    // Somebody may wait for several things.
    return people.filter(({ userId }, at) => people.findIndex((one) => one.userId === userId) === at)
  })
}

/** Offers what fell free at an institute; at night it waits until the morning. */
export async function offerTimes(context: AppContext, instituteId: string): Promise<void> {
  const [open] = await institutesWithOpenings(context.database.db, system, { instituteId })
  if (!open || isQuiet(open.timeZone, context.clock.now())) return
  await changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const lapsed = await freeLapsed(unit)
    const served = new Set<string>()
    let made = 0
    for (const { startsAt, endsAt } of await takeOpenings(unit)) {
      const from = Math.max(parseInstant(startsAt), unit.now)
      const to = Math.min(parseInstant(endsAt), from + longestOpening)
      if (to > from) made += (await goThrough(context, unit, { from, to }, served)).length
    }
    if (lapsed + made === 0) unit.nothingChanged()
  })
}

/** Everywhere where something is left from the night or from a job that failed. */
export async function offerEverywhere(context: AppContext): Promise<void> {
  for (const { instituteId } of await institutesWithOpenings(context.database.db, system, { instituteId: null }))
    await offerTimes(context, instituteId).catch((error: unknown) =>
      context.log.error({ err: error, instituteId }, 'a waiting list was not gone through'),
    )
}

const keptMs = 180 * dayMs
export async function forgetOldEntries({ database: { db }, clock }: AppContext): Promise<void> {
  await forgetHomes(db, system, new Date(clock.now()))
  await forgetEntries(db, system, new Date(clock.now() - keptMs))
}
