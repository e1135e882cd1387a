/**
 * Booking for a client who phones or walks in. The rules of the public site hold, but for notice, grid, horizon and who is booked online; what stands in the
 * way, and what a service asks of the client, may be overlooked by who may overbook, with a reason.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import type { DiaryVisit } from '@soigne/contract/diary'
import { dayMs, type Instant } from '@soigne/contract/time'
import type { CartLine, ClientFacts, VisitPlan } from '@soigne/scheduling/model'
import { tellLater } from '#/features/appointments/service.ts'
import { homeOf, keepHome } from '#/features/at-home/service.ts'
import { inOnePlace, type LoadedInstitute, loadDiary } from '#/features/availability/service.ts'
import {
  freeLapsed,
  keyOf,
  linesOf,
  planFor,
  readStart,
  references,
  type Requester,
  rowsOf,
  type VisitRequest,
  withNearest,
} from '#/features/booking/service.ts'
import { isSameName } from '#/features/customers/service.ts'
import { insertWritten, planOver } from '#/features/diary-entries/service.ts'
import { columnOf, type DiaryReaderScope, termsFor } from '#/features/visits/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint } from '#/platform/database.ts'
import { instantText, minuteOfText, minuteText } from '#/platform/instants.ts'
import { RefusalError, refuse, refuseField } from '#/platform/refuse.ts'
import { type CustomerRow, findCustomer, insertCustomer, likelyCustomers, servicesBooked } from './customers-store.ts'
import { visitInDiary } from './reading.ts'

export type BookingAsked = Parsed<Calls['bookForClient']>['body']
type NewCustomer = NonNullable<BookingAsked['customer']>

const mostTries = 3

function checkMay(scope: DiaryReaderScope, { services, customerId, overbook }: BookingAsked): void {
  const own = columnOf(scope)
  if (own !== null && services.some(({ staffId }) => staffId !== own)) throw refuse('not_found')
  if (customerId !== undefined && !mayAlso(scope, 'customers.read')) throw refuse('not_found')
  if (overbook !== undefined && !mayAlso(scope, 'diary.overbook')) throw refuse('forbidden')
}

/**
 * The record of the institute with the same email, else with the same telephone, however it is written, and name: a family shares a telephone. A new one where
 * there is none; without either nobody is taken for another.
 */
async function recordOf(unit: Unit, { firstName, lastName = '', ...reach }: NewCustomer): Promise<CustomerRow> {
  const [email, phone] = [reach.email || null, reach.phone || null]
  const asked = { email, phone, name: `${firstName} ${lastName}` }
  const found = email === null && phone === null ? [] : await likelyCustomers(unit, asked)
  const same =
    found.find(({ hasEmail }) => hasEmail) ??
    found.find(({ words, asked: name }) => words === name) ??
    found.find(({ words, asked: name }) => isSameName(words, name))
  return same ?? insertCustomer(unit, { firstName, lastName, email, phone })
}

async function customerFor(unit: Unit, { customerId, customer }: BookingAsked): Promise<CustomerRow | null> {
  if (customerId === undefined) return customer === undefined ? null : recordOf(unit, customer)
  const found = await findCustomer(unit, customerId)
  if (!found) throw refuse('not_found', { customerId })
  return found
}

/** Nothing is known of who has no record: what a service asks of the client is not there. */
async function factsFor(unit: Unit, customer: CustomerRow | null): Promise<ClientFacts> {
  if (customer === null) return { visits: [] }
  const visits = await servicesBooked(unit, customer.id)
  return {
    ...(customer.birthday !== null && { birthday: customer.birthday }),
    visits: visits.map(({ serviceId, endsAt }) => ({ serviceId, endsAt: minuteOfText(endsAt) })),
  }
}

/** "Anyone" is never somebody who is not booked online, unless they are named elsewhere in the visit. */
export function forAnyone(loaded: LoadedInstitute, cart: readonly CartLine[]): LoadedInstitute {
  if (cart.every(({ memberId }) => memberId !== undefined)) return loaded
  const { diary } = loaded
  const members = diary.members.filter((member) => member.bookableOnline || cart.some(({ memberId }) => memberId === member.id))
  return { ...loaded, diary: { ...diary, members } }
}

async function diaryFor(unit: Unit, { instituteId, cart, startsAt }: VisitRequest): Promise<LoadedInstitute> {
  const days = { from: new Date(startsAt - dayMs), to: new Date(startsAt + dayMs) }
  const loaded = await loadDiary(unit.db, { instituteId, ...days, now: new Date(unit.now), cart: linesOf(cart) })
  if (!loaded) throw refuse('not_found')
  for (const { serviceId, staffId } of cart) {
    if (!loaded.serviceDetails.has(serviceId)) throw refuse('not_found', { serviceId })
    if (staffId !== undefined && staffId !== 'any' && !loaded.memberDetails.has(staffId)) throw refuse('not_found', { staffId })
  }
  return forAnyone(loaded, linesOf(cart))
}

interface Planned {
  plan: VisitPlan
  /** Why it is over others; null where it is not. */
  reason: string | null
}
/** Within the rules where that can be; over them only with a reason. */
function planned(
  loaded: LoadedInstitute,
  request: VisitRequest,
  facts: ClientFacts,
  asked: BookingAsked,
  unit: Unit,
  locale: Requester['locale'],
): Planned {
  const answer = planFor(loaded, request, facts, unit.now, locale)
  if (answer.ok) return { plan: answer.plan, reason: null }
  if (!asked.overbook) throw answer.refusal
  // What is asked of the client alone is overlooked without anybody being overbooked.
  const unasked = planFor(loaded, request, undefined, unit.now, locale)
  const { reason } = asked.overbook
  if (unasked.ok) return { plan: unasked.plan, reason: null }
  return { plan: planOver(loaded, linesOf(request.cart), request.startsAt, unit.now), reason }
}

async function write(unit: Unit, who: Requester<DiaryReaderScope>, asked: BookingAsked, wanted: VisitRequest): Promise<string> {
  const { scope, locale } = who
  await freeLapsed(unit)
  const customer = await customerFor(unit, asked)
  const loaded = await diaryFor(unit, wanted)
  const request: VisitRequest = { ...wanted, cart: inOnePlace(loaded, wanted.cart) }
  const home = asked.home && (await homeOf(unit.db, loaded, asked.home, locale))
  const { plan, reason } = planned(loaded, request, await factsFor(unit, customer), asked, unit, locale)
  const id = randomUUIDv7()
  const { timeZone, currency } = loaded.institute
  const times = { startsAt: instantText(request.startsAt), endsAt: minuteText(plan.endsAt) }
  const noted = [asked.note, reason === null ? asked.overbook?.reason : undefined].filter(Boolean).join('\n')
  const isThere = await insertWritten(unit, {
    ...rowsOf({ loaded, plan }),
    ...times,
    id,
    customerId: customer?.id ?? null,
    reference: references.draw(),
    timeZone,
    cart: request.cart,
    currency,
    terms: termsFor(loaded.institute, request.startsAt),
    note: null,
    ownNote: noted || null,
    reason,
    actor: scope.actor,
    now: instantText(unit.now),
  })
  if (!isThere) throw refuse('not_found')
  if (home) await keepHome(unit, id, home)
  if (reason === null) unit.record('visit.booked', id, { ...times, userId: customer?.userId ?? null, toldLater: true })
  else unit.record('visit.overbooked', id, { ...times, customerId: customer?.id ?? null, reason })
  await tellLater(unit, scope, { id, kind: 'booked', after: times, before: null })
  return id
}

/** @throws slot_taken and not_offered with the nearest free times, prerequisite_missing, forbidden for who may not overbook */
export async function bookForClient(context: AppContext, who: Requester<DiaryReaderScope>, asked: BookingAsked): Promise<DiaryVisit> {
  const { scope } = who
  const { instituteId } = scope
  checkMay(scope, asked)
  if (asked.overbook && asked.overbook.reason.trim() === '') throw refuseField('overbook.reason', 'required')
  const now: Instant = context.clock.now()
  const startsAt = readStart(asked.startsAt, now)
  const cart = asked.services.map(({ serviceId, staffId }) => ({
    serviceId,
    ...(staffId !== undefined && { staffId }),
    ...(asked.home && { atHome: true }),
  }))
  const request: VisitRequest = { instituteId, cart, startsAt, forInstitute: true }
  const key = keyOf(who, { call: 'bookForClient', ...asked })
  for (let attempt = 1; ; attempt++) {
    try {
      return await changeInstitute(context, { instituteId, by: scope, key }, async (unit) =>
        visitInDiary(unit.db, who, await write(unit, who, asked, request), unit.now),
      )
    } catch (error) {
      const broken = brokenConstraint(error)
      if (attempt < mostTries && (broken === 'appointments_reference_key' || broken === 'session_seats_pkey')) continue
      const refusal = broken === 'occupations_apart' ? refuse('slot_taken', { reason: 'taken' }) : error
      const code = refusal instanceof RefusalError ? refusal.code : null
      if (code !== 'slot_taken' && code !== 'not_offered') throw refusal
      throw await nearestFor(context, refusal as RefusalError, request, now)
    }
  }
}

/** What is refused for a price on request has no times online: it is refused without any. */
async function nearestFor(context: AppContext, refusal: RefusalError, request: VisitRequest, now: Instant): Promise<RefusalError> {
  try {
    return await withNearest(context, refusal, request, undefined, now)
  } catch {
    return refuse(refusal.code, { ...refusal.details, nearest: [] })
  }
}
