/** Every free start of single services, whatever notice and horizon say: what searches keep. The diary is read once for all of them. */
import { newBits, setStretch, type Bits } from './bits.ts'
import { addDays, dayNumber } from './days.ts'
import type { DaysAsked } from './free-spans.ts'
import type { FreeTime } from './free-time.ts'
import type { Asking, CartLine, EpochMinute, InstituteDiary, Offer } from './model.ts'
import { startsOfDay, withoutStranding } from './offers.ts'
import { memberFits, startsEarlyEnough, unitIsFree, type Candidate, type Line } from './visit-planner.ts'
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
}

/** Row minutes of the days asked. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** A guest who asks at no particular moment. */
const ANYONE: Asking = { now: 0 }

/** The starts that `offersForDays` gives a guest for each service alone, notice and horizon waived. A service that is not there has none. */
export function freeStarts(diary: InstituteDiary, serviceIds: readonly string[], { fromDay, days }: DaysAsked): FreeStarts {
  const carts = serviceIds.map((serviceId): CartLine[] => [{ serviceId }])
  const free = readFor(diary, carts, ANYONE, { fromDay, toDay: addDays(fromDay, days - 1) })
  const first = dayNumber(fromDay)
  const hidden = diary.rules.gaps === 'hide'
  const asked = { from: edgeAt(free.clock, first, 0) - free.origin, to: edgeAt(free.clock, first + days, 0) - free.origin }
  const services = carts.map((cart): StartsOfService => {
    if (hidden) return weighedStarts(free, cart, first, days)
    const every = plainStarts(free, cart, asked)
    return { every, offered: every }
  })
  return { origin: free.origin, services }
}

/** Whether somebody is free is all that counts, so nobody has to be preferred. */
function plainStarts(free: FreeTime, cart: readonly CartLine[], asked: Stretch): Bits {
  const starts = newBits(free.length)
  for (const line of readLines(free, cart, ANYONE)) {
    for (const candidate of line.candidates) addStarts(free, line, candidate, asked, starts)
  }
  return starts
}

/** Adds the starts of one member that are not in yet. */
function addStarts(free: FreeTime, line: Line, candidate: Candidate, { from, to }: Stretch, starts: Bits): void {
  const { grid, blocked } = candidate.member
  const last = (to - 1) >>> 5
  for (let word = from >>> 5; word <= last; word++) {
    let left = grid[word]! & ~(blocked[word]! | free.closed[word]! | starts[word]!)
    if (word === from >>> 5) left &= -1 << (from & 31)
    if (word === last) left &= -1 >>> (31 - ((to - 1) & 31))
    while (left !== 0) {
      const bit = left & -left
      left ^= bit
      if (isFree(free, line, candidate, (word << 5) + 31 - Math.clz32(bit))) starts[word]! |= bit
    }
  }
}

function isFree(free: FreeTime, { rule, units }: Line, candidate: Candidate, at: number): boolean {
  if (!memberFits(free, rule, candidate, at) || !startsEarlyEnough(free, rule, at)) return false
  if (units === undefined) return true
  for (const unit of units) if (unitIsFree(unit, rule, at, at + candidate.span)) return true
  return false
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
