/** Who is offered time that a cancellation has freed. */
import { MINUTES_OF_DAY, dayNumber, weekdayOfNumber } from './days.ts'
import type { CartLine, ClientFacts, Day, EpochMinute, InstituteDiary, Offer, PartOfDay, Span, WallRange, Weekday } from './model.ts'
import { offersForDays } from './offers.ts'
import { dayOf, edgeAt, wallMinuteOf, zoneClock } from './wall-clock.ts'

/** A client's request for a visit in a window of days and hours. */
export interface WaitingRequest {
  readonly id: string
  readonly cart: readonly CartLine[]
  /** First and last day of the window, both included. */
  readonly fromDay: Day
  readonly toDay: Day
  /** Wall-clock hours in which the visit must begin and end; absent: any. */
  readonly hours?: WallRange | undefined
  /** Days of the week that suit; absent: all. */
  readonly weekdays?: readonly Weekday[] | undefined
  /** When the request was made: the earlier is served first, of equals the smaller id. */
  readonly askedAt: EpochMinute
  /** Starts offered before and not taken; they are not offered again. */
  readonly declined: readonly EpochMinute[]
  /** Part of the day in which the visit begins; absent: any. */
  readonly part?: PartOfDay | undefined
  /** The visit begins before this, where an earlier one than another is wanted. */
  readonly before?: EpochMinute | undefined
  /** Stretches that the visit may not touch: what the person does then, and what they let pass. */
  readonly apart?: readonly Span[] | undefined
  readonly client?: ClientFacts | undefined
}

/** Time that somebody may be offered. Of a member: nobody else performs the visit, and all of it lies within. */
export interface FreedTime extends Span {
  readonly memberId?: string | undefined
}

/** A request and the time it can be offered; its cart names the member whose time it is. */
export interface WaitingMatch {
  readonly request: WaitingRequest
  readonly offer: Offer
}

/**
 * The first waiting request that fits into freed time, with its earliest start inside it, else the earliest that
 * uses some of it; nothing when none fits.
 * Requests come in the order they were made. Call it again with the rest when the offer lapses. The diary must no longer hold the visit
 * that was cancelled; `freed` is its time (a member's or a resource's, instants). Notice, horizon and every other rule hold as for any offer.
 */
export function firstThatFits(
  diary: InstituteDiary,
  requests: readonly WaitingRequest[],
  freed: FreedTime,
  now: EpochMinute,
): WaitingMatch | undefined {
  for (const request of requests.toSorted(byTurn)) {
    const match = matchOf(diary, request, freed, now)
    if (match !== undefined) return match
  }
  return undefined
}

/** Everybody of whom each alone would fit, in the order in which they would be asked. */
export const allThatFit = (
  diary: InstituteDiary,
  requests: readonly WaitingRequest[],
  freed: FreedTime,
  now: EpochMinute,
): readonly WaitingMatch[] => requests.toSorted(byTurn).flatMap((request) => matchOf(diary, request, freed, now) ?? [])

function matchOf(diary: InstituteDiary, asked: WaitingRequest, freed: FreedTime, now: EpochMinute): WaitingMatch | undefined {
  const { memberId } = freed
  // Who wants somebody else waits for their time.
  if (memberId !== undefined && asked.cart.some((line) => (line.memberId ?? memberId) !== memberId)) return undefined
  // Naming the member must not make anyone a dearer one.
  const performs = diary.members.find(({ id }) => id === memberId)?.performs
  if (asked.cart.some((line) => line.memberId === undefined && performs?.get(line.serviceId)?.onlyByName === true)) return undefined
  const request = memberId === undefined ? asked : { ...asked, cart: asked.cart.map((line) => ({ ...line, memberId })) }
  const offer = offerFor(diary, request, freed, now)
  return offer && { request, offer }
}

function byTurn(a: WaitingRequest, b: WaitingRequest): number {
  return a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1)
}

function offerFor(diary: InstituteDiary, request: WaitingRequest, freed: FreedTime, now: EpochMinute): Offer | undefined {
  const { cart, client, declined, part } = request
  const last = dayOf(diary.timeZone, freed.to - 1)
  const dayBefore = dayOf(diary.timeZone, freed.from - MINUTES_OF_DAY)
  const fromDay = dayBefore < request.fromDay ? request.fromDay : dayBefore
  const toDay = last < request.toDay ? last : request.toDay
  if (toDay < fromDay) return undefined
  const days = dayNumber(toDay) - dayNumber(fromDay) + 1
  // At somebody's home the way there and back is time of the visit, too.
  const way = cart.some(({ atHome }) => atHome === true) ? (diary.travelMinutes ?? 0) : 0
  const fitting = offersForDays(diary, cart, { now, client, fromDay, days, part })
    .flatMap(({ times }) => times)
    .filter(
      (offer) =>
        offer.startsAt - way < freed.to &&
        freed.from < offer.endsAt + way &&
        !declined.includes(offer.startsAt) &&
        suits(diary, request, offer),
    )
  if (freed.memberId !== undefined) return fitting.find(({ startsAt, endsAt }) => freed.from <= startsAt - way && endsAt + way <= freed.to)
  return fitting.find(({ startsAt }) => startsAt - way >= freed.from) ?? fitting[0]
}

function suits({ timeZone }: InstituteDiary, { hours, weekdays, before, apart = [] }: WaitingRequest, offer: Offer): boolean {
  if (before !== undefined && offer.startsAt >= before) return false
  if (apart.some(({ from, to }) => offer.startsAt < to && from < offer.endsAt)) return false
  const number = dayNumber(dayOf(timeZone, offer.startsAt))
  if (weekdays !== undefined && !weekdays.includes(weekdayOfNumber(number))) return false
  if (hours === undefined) return true
  return wallMinuteOf(timeZone, offer.startsAt) >= hours.opensAt && offer.endsAt <= edgeAt(zoneClock(timeZone), number, hours.closesAt)
}
