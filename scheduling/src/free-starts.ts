/** Every free start of single services, whatever notice and horizon say: what searches keep. The diary is read once for all of them. */
import { addStretch, clearStretch, newBits, nextMissing, nextSet, setStretch, type Bits } from './bits.ts'
import { addDays, dayNumber } from './days.ts'
import type { DaysAsked } from './free-spans.ts'
import type { FreeTime, ResourceTime } from './free-time.ts'
import type { Asking, CartLine, EpochMinute, InstituteDiary, Offer, ServiceRule } from './model.ts'
import { startsOfDay, withoutStranding } from './offers.ts'
import { isGroupService, seatOffersOfDays } from './sessions.ts'
import { startsEarlyEnough, type Candidate, type Line, type Need } from './visit-planner.ts'
import { questionOf, readFor, readLines } from './visit-question.ts'
import { edgeAt } from './wall-clock.ts'

/** The starts of one service. */
export interface StartsOfService {
  /** All that are free. */
  readonly every: Bits
  /** Those a client is offered: without the ones that a hidden gap takes away. The same row where gaps are not hidden. */
  readonly offered: Bits
}

/** Rows of one bit per minute that begin at the instant `origin`; one entry for each service, in the order asked. */
export interface FreeStarts {
  readonly origin: EpochMinute
  readonly services: readonly StartsOfService[]
  /** What was read for them: given to the next question about the same days, whoever has not changed is not read again. */
  readonly free: FreeTime
}

/** Row minutes of the days asked. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** A guest who asks at no particular moment. */
const ANYONE: Asking = { now: 0 }

/**
 * The starts that `offersForDays` gives a guest for each service alone, notice and horizon waived. A service that is not there has none.
 * `like` is what was read for the same days of the same institute before a visit came or went.
 */
export function freeStarts(
  diary: InstituteDiary,
  serviceIds: readonly string[],
  { fromDay, days }: DaysAsked,
  like?: FreeTime,
): FreeStarts {
  const carts = serviceIds.map((serviceId): CartLine[] => [{ serviceId }])
  const free = readFor(diary, carts, ANYONE, { fromDay, toDay: addDays(fromDay, days - 1) }, like)
  const first = dayNumber(fromDay)
  const hidden = diary.rules.gaps === 'hide'
  const asked = { from: edgeAt(free.clock, first, 0) - free.origin, to: edgeAt(free.clock, first + days, 0) - free.origin }
  const services = carts.map((cart): StartsOfService => {
    if (isGroupService(diary.services.get(cart[0]!.serviceId))) {
      const every = newBits(free.length)
      mark(free, every, seatOffersOfDays(diary, cart, { now: -Infinity, forInstitute: true }, fromDay, days))
      return { every, offered: every }
    }
    if (hidden) return weighedStarts(free, cart, first, days)
    const every = plainStarts(free, cart, asked)
    return { every, offered: every }
  })
  return { origin: free.origin, services, free }
}

/** Whether somebody is free is all that counts, so nobody has to be preferred and free stretches are taken whole. */
function plainStarts(free: FreeTime, cart: readonly CartLine[], asked: Stretch): Bits {
  const starts = newBits(free.length)
  for (const line of readLines(free, cart, ANYONE)) {
    for (const candidate of line.candidates) addStarts(line, candidate, asked, starts)
    if (line.rule.latestStart !== undefined) dropLateStarts(free, line, asked, starts)
  }
  return starts
}

/** Adds the starts of one member that nobody before them has. */
function addStarts({ rule, units }: Line, candidate: Candidate, { from, to }: Stretch, starts: Bits): void {
  const { grid } = candidate.member
  const { needs } = candidate
  const needsOfUnits = units?.map((unit) => needsOfUnit(unit, rule, candidate.span))
  for (let at = nextMissing(grid, starts, from, to); at < to;) {
    let last = lastFree(needs, at, to - 1)
    if (last >= at && needsOfUnits !== undefined) last = lastOfAny(needsOfUnits, at, last)
    if (last >= at) addStretch(starts, grid, at, last + 1)
    at = nextMissing(grid, starts, Math.max(at, last) + 1, to)
  }
}

/** What `unitIsFree` asks of a unit. */
function needsOfUnit({ blocked, busy }: ResourceTime, rule: ServiceRule, span: number): readonly Need[] {
  return [
    { row: blocked, from: 0, to: span },
    { row: busy, from: -rule.bufferBeforeMinutes, to: 0 },
    { row: busy, from: span, to: span + rule.bufferAfterMinutes },
  ].filter((need) => need.from < need.to)
}

/** The last of the starts from `at` to `most` that are all free; before `at` when that one is not. */
function lastFree(needs: readonly Need[], at: number, most: number): number {
  let last = most
  for (const { row, from, to } of needs) {
    last = nextSet(row, at + from, last + to) - to
    if (last < at) return last
  }
  return last
}

/** The same for the unit that stays free longest. */
function lastOfAny(needsOfUnits: readonly (readonly Need[])[], at: number, most: number): number {
  let last = at - 1
  for (const needs of needsOfUnits) {
    last = Math.max(last, lastFree(needs, at, most))
    if (last === most) return last
  }
  return last
}

function dropLateStarts(free: FreeTime, { rule }: Line, { from, to }: Stretch, starts: Bits): void {
  for (let at = nextSet(starts, from, to); at < to; at = nextSet(starts, at + 1, to)) {
    if (!startsEarlyEnough(free, rule, at)) clearStretch(starts, at, at + 1)
  }
}

/** What a start strands depends on who is preferred for it, so each is placed as if it were booked. */
function weighedStarts(free: FreeTime, cart: readonly CartLine[], first: number, days: number): StartsOfService {
  const question = questionOf(free, cart, ANYONE, true)
  const every = newBits(free.length)
  const offered = newBits(free.length)
  for (let number = first; number < first + days; number++) {
    const times = startsOfDay(question, number, -Infinity, Infinity)
    mark(free, every, times)
    mark(free, offered, withoutStranding(times))
  }
  return { every, offered }
}

function mark({ origin }: FreeTime, row: Bits, times: readonly Offer[]): void {
  for (const { startsAt } of times) setStretch(row, startsAt - origin, startsAt - origin + 1)
}
