/** Questions about the free times of one loaded diary, answered by the engine. Nothing is read here. */
import type { FreeTime } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import type { CartLine, Day, Offer, PartOfDay } from '@soigne/scheduling/model'
import { nextOffers, offersForDays } from '@soigne/scheduling/offers'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import { minuteText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { asksForHome, isOnRequest, type LoadedInstitute } from './diary.ts'
import { takenTimes } from './taken-times.ts'

/** Nobody takes bookings further ahead. */
export const longestHorizonDays = 400

export const timesOf = (offers: readonly Offer[]): FreeTime[] =>
  offers.map(({ startsAt, endsAt, seatsLeft }) => ({
    startsAt: minuteText(startsAt),
    endsAt: minuteText(endsAt),
    ...(seatsLeft !== undefined && { seatsLeft }),
  }))

/** @throws not_found for an institute that is not published or ids that are not of its menu or team, not_bookable for one that is only listed, price_on_request */
export function checkBookable(loaded: LoadedInstitute | null, cart: readonly CartLine[], isBooked = false): LoadedInstitute {
  if (!loaded || loaded.institute.state !== 'published') throw refuse('not_found')
  if (!loaded.institute.claimed) throw refuse('not_bookable')
  for (const { serviceId, memberId } of cart) {
    if (!loaded.serviceDetails.has(serviceId)) throw refuse('not_found', { serviceId })
    if (memberId !== undefined && !loaded.memberDetails.has(memberId)) throw refuse('not_found', { staffId: memberId })
    // What the institute has agreed to and booked itself may be moved.
    if (!isBooked && isOnRequest(loaded, serviceId)) throw refuse('price_on_request', { serviceId })
  }
  return loaded
}

/** A visit is done in one place: at home where that is asked, or where one of its services is done nowhere else. @throws not_at_home */
export function inOnePlace<T extends { serviceId: string; atHome?: boolean | undefined }>(
  loaded: LoadedInstitute,
  cart: readonly T[],
): readonly T[] {
  if (!asksForHome(loaded, cart)) return cart
  const stays = cart.find(({ serviceId }) => loaded.serviceDetails.get(serviceId)?.venue === 'salon')
  if (stays || loaded.institute.homeRadiusKm === null) throw refuse('not_at_home', { serviceId: (stays ?? cart[0])?.serviceId })
  return cart.map((line) => ({ ...line, atHome: true }))
}

export interface TimesOfDays {
  timeZone: string
  days: { day: Day; times: FreeTime[]; taken: string[] }[]
}

export interface DaysAsked {
  cart: readonly CartLine[]
  /** Milliseconds since the epoch. */
  now: Instant
  from?: Day
  days: number
}

/** Free starts of a loaded diary, day by day, with the starts others have taken. */
export function daysOf({ diary }: LoadedInstitute, asked: DaysAsked): TimesOfDays {
  const now = minuteOf(asked.now)
  const asking = { now, fromDay: asked.from ?? dayOf(diary.timeZone, now), days: asked.days }
  const offers = offersForDays(diary, asked.cart, asking)
  const taken = takenTimes(diary, asked.cart, asking, offers)
  const days = offers.map(({ day, times }) => ({ day, times: timesOf(times), taken: (taken.get(day) ?? []).map(minuteText) }))
  return { timeZone: diary.timeZone, days }
}

export interface NextTimesQuery {
  /** Milliseconds since the epoch. */
  now: Instant
  /** First day to look at, on each institute's calendar; today when absent. */
  from?: Day
  /** Only this day, on each institute's calendar. */
  day?: Day
  part?: PartOfDay
  /** Only starts before this instant (milliseconds since the epoch). */
  before?: number
  /** Times for each institute. */
  limit: number
}

export function offersWithin(loaded: LoadedInstitute, cart: readonly CartLine[], query: NextTimesQuery, days: number): readonly Offer[] {
  const { diary } = loaded
  const now = minuteOf(query.now)
  const fromDay = query.day ?? query.from
  const from = Math.max(now, fromDay === undefined ? now : spanOfDay(diary.timeZone, fromDay).from)
  const untilDay = query.day ?? addDays(dayOf(diary.timeZone, from), days)
  if (query.before !== undefined && instantOf(from) >= query.before) return []
  const last = query.before === undefined ? untilDay : ([untilDay, dayOf(diary.timeZone, minuteOf(query.before))].sort()[0] ?? untilDay)
  const offers = nextOffers(diary, cart, { now, from, untilDay: last, limit: query.limit, ...(query.part && { part: query.part }) })
  return query.before === undefined ? offers : offers.filter(({ startsAt }) => instantOf(startsAt) < (query.before ?? Infinity))
}

/** The times of the service that is free earliest among the first services, by rank, of which any is; null when none is. */
export function earliestOf(
  loaded: LoadedInstitute,
  ranked: readonly (readonly string[])[],
  query: NextTimesQuery,
  days: number,
  cartOf: (serviceId: string) => CartLine[] = (serviceId) => [{ serviceId }],
): { cart: CartLine[]; times: readonly Offer[] } | null {
  for (const services of ranked) {
    let best: { cart: CartLine[]; times: readonly Offer[] } | null = null
    for (const serviceId of services) {
      const cart = cartOf(serviceId)
      const times = offersWithin(loaded, cart, query, days)
      if (times[0] && (!best?.times[0] || times[0].startsAt < best.times[0].startsAt)) best = { cart, times }
    }
    if (best) return best
  }
  return null
}
