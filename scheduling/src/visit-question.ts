/** A cart asked of a diary, made ready to be tried at many starts. */
import { addBits, newBits, type Bits } from './bits.ts'
import { addDays, dayNumber, dayOfNumber } from './days.ts'
import { readFreeTime, spanMinutes, type FreeTime } from './free-time.ts'
import type { Asking, CartLine, ClientFacts, Day, EpochMinute, InstituteDiary, MemberDiary, Prerequisite } from './model.ts'
import { prerequisiteHolds, prerequisitesOf } from './prerequisites.ts'
import { dayNumberAt, zoneClock } from './wall-clock.ts'
import {
  needsOfMember,
  placeVisit,
  strandedMinutes,
  visitEnd,
  type Candidate,
  type Failures,
  type Line,
  type Search,
} from './visit-planner.ts'

/** Above this many services the best order is not sought: 120 orders are the most a start is tried in. */
const MOST_ORDERED = 5

/** Everything needed to try a start. Rows begin at `free.origin`. */
export interface VisitQuestion {
  readonly free: FreeTime
  /** In the order of the cart. */
  readonly lines: readonly Line[]
  /** One for each order to try, the order of the cart first. */
  readonly searches: readonly Search[]
  /** Starts on the grid of anyone who may come first. */
  readonly starts: Bits
  /** No visit can be shorter than this. */
  readonly leastMinutes: number
  readonly prerequisites: readonly { readonly line: number; readonly prerequisite: Prerequisite }[]
  readonly client: ClientFacts | undefined
  readonly weighGaps: boolean
}

/** A start that works: the search that holds the placed visit, its end as a row minute. */
export interface Placed {
  readonly search: Search
  readonly end: number
}

/** The first instant a cart may start: now and the strictest notice of its services, or now for the institute itself. */
export function earliestStart(diary: InstituteDiary, cart: readonly CartLine[], asking: Asking): EpochMinute {
  if (asking.forInstitute === true) return asking.now
  let notice = 0
  for (const { serviceId } of cart) {
    notice = Math.max(notice, diary.services.get(serviceId)?.noticeMinutes ?? diary.rules.noticeMinutes)
  }
  return asking.now + notice
}

/** The last day that may be booked, counted from today on the institute's calendar. */
export function lastBookableDay(diary: InstituteDiary, asking: Asking): Day {
  const today = dayNumberAt(zoneClock(diary.timeZone), asking.now)
  return asking.forInstitute === true ? '9999-12-31' : dayOfNumber(today + diary.rules.horizonDays)
}

/** Whether a member may be chosen for a line of a cart. */
export function mayPerform(member: MemberDiary, line: CartLine, asking: Asking): boolean {
  if (line.memberId !== undefined && line.memberId !== member.id) return false
  const performance = member.performs.get(line.serviceId)
  if (performance === undefined) return false
  if (asking.forInstitute === true) return true
  return member.bookableOnline && (line.memberId !== undefined || performance.onlyByName !== true)
}

/** Prepares a cart for the days from…to (both included); nothing when the cart is empty or names a service that is not there. `like` as for `readFor`. */
export function askForVisit(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking,
  days: { readonly fromDay: Day; readonly toDay: Day; readonly onGrid: boolean },
  like?: FreeTime,
): VisitQuestion | undefined {
  if (cart.length === 0 || cart.some(({ serviceId }) => !diary.services.has(serviceId))) return undefined
  return questionOf(readFor(diary, [cart], asking, days, like), cart, asking, days.onGrid)
}

/** Reads all that any of some carts asks for in the days from…to (both included); who is the same in `like`, an earlier reading, is not read again. */
export function readFor(
  diary: InstituteDiary,
  carts: readonly (readonly CartLine[])[],
  asking: Asking,
  days: { readonly fromDay: Day; readonly toDay: Day },
  like?: FreeTime,
): FreeTime {
  const lines = carts.flat()
  const margins = carts.map((cart) => marginsOf(diary, cart, asking))
  const reading = {
    fromDay: dayNumber(days.fromDay),
    toDay: dayNumber(days.toDay),
    minutesBefore: Math.max(0, ...margins.map(({ minutesBefore }) => minutesBefore)),
    minutesAfter: Math.max(0, ...margins.map(({ minutesAfter }) => minutesAfter)),
    memberIds: new Set(diary.members.filter((member) => lines.some((line) => mayPerform(member, line, asking))).map(({ id }) => id)),
    resourceTypes: new Set(lines.flatMap(({ serviceId }) => diary.services.get(serviceId)?.resourceType ?? [])),
  }
  return readFreeTime(diary, reading, like)
}

/** Prepares a cart on what was read for it, or for it and others. */
export function questionOf(free: FreeTime, cart: readonly CartLine[], asking: Asking, onGrid: boolean): VisitQuestion {
  const { diary } = free
  const lines = readLines(free, cart, asking)
  const searches = searchesFor(free, lines, onGrid)
  return {
    free,
    lines,
    searches,
    starts: startsOf(free, searches),
    leastMinutes: leastMinutes(lines),
    prerequisites: asking.client === undefined ? [] : prerequisitesOf(diary, cart),
    client: asking.client,
    weighGaps: diary.rules.gaps !== 'off',
  }
}

/** Tries a start (row minute); of several orders the shortest visit, of equals the first. */
export function tryStart(question: VisitQuestion, at: number): Placed | undefined {
  let best: Placed | undefined
  for (const search of question.searches) {
    if (!placeVisit(search, at)) continue
    const end = visitEnd(search)
    if (best === undefined || end < best.end) best = { search, end }
    if (end - at <= question.leastMinutes) break
  }
  return best
}

/** What a placed visit strands, 0 when the institute does not weigh gaps. */
export function strandedBy(question: VisitQuestion, placed: Placed): number {
  return question.weighGaps ? strandedMinutes(placed.search) : 0
}

/** The first prerequisite of the cart that does not hold for a start. */
export function missingPrerequisite(
  question: Pick<VisitQuestion, 'free' | 'prerequisites' | 'client'>,
  startsAt: EpochMinute,
): { readonly line: number; readonly prerequisite: Prerequisite } | undefined {
  const { client } = question
  if (client === undefined || question.prerequisites.length === 0) return undefined
  const { timeZone } = question.free.diary
  return question.prerequisites.find(({ prerequisite }) => !prerequisiteHolds(timeZone, prerequisite, client, startsAt))
}

/** The days from…to that may hold a start: from today on, up to the horizon. */
export function bookableDays(
  diary: InstituteDiary,
  asking: Asking,
  fromDay: Day,
  days: number,
): { readonly fromDay: Day; readonly toDay: Day } {
  const today = dayOfNumber(dayNumberAt(zoneClock(diary.timeZone), asking.now))
  const lastDay = lastBookableDay(diary, asking)
  const toDay = addDays(fromDay, days - 1)
  return { fromDay: fromDay < today ? today : fromDay, toDay: toDay > lastDay ? lastDay : toDay }
}

function marginsOf(diary: InstituteDiary, cart: readonly CartLine[], asking: Asking): { minutesBefore: number; minutesAfter: number } {
  let buffers = 0
  let visit = 0
  let shortest = 0
  for (const line of cart) {
    const rule = diary.services.get(line.serviceId)
    if (rule === undefined) continue
    buffers = Math.max(buffers, rule.bufferBeforeMinutes, rule.bufferAfterMinutes)
    let longest = spanMinutes(rule.parts)
    for (const member of diary.members) {
      if (!mayPerform(member, line, asking)) continue
      const parts = member.performs.get(line.serviceId)?.parts
      if (parts !== undefined) longest = Math.max(longest, spanMinutes(parts))
      shortest = Math.max(shortest, longest + rule.bufferBeforeMinutes + rule.bufferAfterMinutes)
    }
    visit += longest + diary.rules.maxWaitMinutes
  }
  return { minutesBefore: buffers + shortest, minutesAfter: visit + buffers + shortest }
}

/** The lines of a cart with everyone who may perform them; services that are not there are left out. */
export function readLines(free: FreeTime, cart: readonly CartLine[], asking: Asking): readonly Line[] {
  const unitsOfType = new Map<string, typeof free.resources>()
  return cart.flatMap((line, place): Line[] => {
    const rule = free.diary.services.get(line.serviceId)
    if (rule === undefined) return []
    const candidates = free.members
      .filter(({ diary }) => mayPerform(diary, line, asking))
      .map((member): Candidate => {
        const parts = member.diary.performs.get(rule.id)?.parts ?? rule.parts
        const { activeMinutes: active, idleMinutes: idle, activeAfterMinutes: after } = parts
        const times = { active, idle, after, span: spanMinutes(parts) }
        return { member, parts, ...times, needs: needsOfMember(free, rule, member, times), unfit: undefined }
      })
    const type = rule.resourceType
    if (type === undefined) return [{ place, rule, candidates, units: undefined, nobody: undefined }]
    const units = unitsOfType.get(type) ?? free.resources.filter(({ diary }) => diary.type === type)
    unitsOfType.set(type, units)
    return [{ place, rule, candidates, units, nobody: undefined }]
  })
}

function searchesFor(free: FreeTime, lines: readonly Line[], onGrid: boolean): readonly Search[] {
  const { rules } = free.diary
  const seekBest = rules.serviceOrder === 'best' && lines.length <= MOST_ORDERED
  const known = new Map<string, Failures>()
  return (seekBest ? ordersOf(lines) : [lines]).map((order) => ({
    free,
    lines: order,
    maxWait: rules.maxWaitMinutes,
    onGrid,
    starts: [],
    chosen: [],
    units: [],
    failures: order.map((_, k) => {
      const rest = order
        .slice(k)
        .map(({ place }) => place)
        .join()
      const failures = known.get(rest) ?? { bits: undefined, open: undefined }
      known.set(rest, failures)
      return failures
    }),
  }))
}

/** All orders, that of the cart first, the others as in a dictionary. */
function ordersOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  if (lines.length <= 1) return [lines]
  return lines.flatMap((first, i) => ordersOf(lines.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

function startsOf(free: FreeTime, searches: readonly Search[]): Bits {
  const starts = newBits(free.length)
  const added = new Set<Bits>()
  for (const { lines } of searches) {
    for (const { member } of lines[0]?.candidates ?? []) {
      if (added.has(member.grid)) continue
      added.add(member.grid)
      addBits(starts, member.grid)
    }
  }
  return starts
}

/** Hands on one at a time, and no service shorter than its quickest member makes it. */
function leastMinutes(lines: readonly Line[]): number {
  let handsOn = 0
  let longest = 0
  for (const { candidates } of lines) {
    handsOn += Math.min(...candidates.map(({ active, after }) => active + after))
    longest = Math.max(longest, Math.min(...candidates.map(({ span }) => span)))
  }
  return Math.max(handsOn, longest)
}
