/**
 * Why a start is refused. The closed list, in the order in which reasons are looked for; the first that holds is given:
 *
 * empty_cart, unknown_service, unknown_member   the cart itself cannot be served
 * past, notice, horizon                         too early or too late from now; `earliest` or `lastDay` says what would do
 * nonexistent_time, repeated_time               a reading the clock skips, or shows for the second time
 * closed, outside_opening                       a closure or a day without opening hours; outside the opening ranges
 * prerequisite                                  something asked of the client does not hold
 *
 * then of all members who could take the first line that cannot be placed, the one who is nearest to being able:
 *
 * off_grid              could, but starts are offered at other minutes
 * no_resource           could, but no room, chair or machine of the type is free
 * buffer                free, but too near to another visit or to leave
 * taken                 busy with another visit
 * on_break              on a break during an active part
 * last_start            later than the service may start
 * outside_opening, closed   would not end inside one opening range
 * on_leave, outside_shift   away, or not at work at that time
 * not_bookable_online, not_performed
 *
 * wait_too_long   a later service could follow only after a longer wait than the institute allows
 * strands_gap     would leave time too short to sell, and the institute hides such starts
 *
 * of a service that has group sessions (`sessions.ts`), after past, notice, horizon and prerequisite:
 *
 * session_alone         such a service is booked by itself
 * no_session            none begins then, or none with the member asked for
 * full                  no seat is free
 * no_resource, closed, on_leave   its room, the institute or its member is not there after all
 */
import { anySet, isSet, nextSet, previousSetEnd } from './bits.ts'
import { dayNumber, MINUTES_OF_DAY } from './days.ts'
import type { FreeTime, MemberTime } from './free-time.ts'
import type {
  Asking,
  CartLine,
  EpochMinute,
  InstituteDiary,
  MemberDiary,
  MemberRefusal,
  StartRefusal,
  RefusalReason,
  Span,
} from './model.ts'
import { isClosedOn, openingOn } from './opening-hours.ts'
import { prerequisiteHolds, prerequisitesOf } from './prerequisites.ts'
import {
  memberFits,
  placeVisit,
  startsEarlyEnough,
  unitIsFree,
  visitEnd,
  WAIT_STEP_MINUTES,
  type Candidate,
  type Line,
  type Search,
} from './visit-planner.ts'
import { earliestStart, lastBookableDay, type VisitQuestion } from './visit-question.ts'
import { dayOf, edgeAt, isRepeated, localMinuteAt, zoneClock } from './wall-clock.ts'
import { hasMinute } from './wall-ranges.ts'
import { plannedDay } from './working-time.ts'

/** From the most helpful to the least. */
const HELPFUL: readonly RefusalReason[] = [
  'off_grid',
  'no_resource',
  'buffer',
  'taken',
  'on_break',
  'last_start',
  'outside_opening',
  'closed',
  'on_leave',
  'outside_shift',
  'not_bookable_online',
  'not_performed',
]

/** Refuses a cart that no start could serve. */
export function refuseCart(diary: InstituteDiary, cart: readonly CartLine[]): StartRefusal | undefined {
  if (cart.length === 0) return { ok: false, reason: 'empty_cart', members: [] }
  for (const [line, { serviceId, memberId }] of cart.entries()) {
    if (!diary.services.has(serviceId)) return { ok: false, reason: 'unknown_service', line, members: [] }
    if (memberId !== undefined && !diary.members.some(({ id }) => id === memberId)) {
      return { ok: false, reason: 'unknown_member', line, members: [] }
    }
  }
  return undefined
}

/** Refuses a start for what the clock, the calendar, the opening hours or the client say, before anyone's diary is read. */
export function refuseStart(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  startsAt: EpochMinute,
  asking: Asking,
): StartRefusal | undefined {
  const refused = refuseMoment(diary, cart, startsAt, asking) ?? refuseOpening(diary, startsAt)
  if (refused !== undefined || asking.client === undefined) return refused
  const { client } = asking
  const missing = prerequisitesOf(diary, cart).find(
    ({ prerequisite }) => !prerequisiteHolds(diary.timeZone, prerequisite, client, startsAt),
  )
  return missing === undefined ? undefined : { ok: false, reason: 'prerequisite', ...missing, members: [] }
}

/** Refuses a start that is too early or too late, or that the clock shows for the second time. */
export function refuseMoment(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  startsAt: EpochMinute,
  asking: Asking,
): StartRefusal | undefined {
  if (!Number.isInteger(startsAt)) return { ok: false, reason: 'off_grid', members: [] }
  if (asking.forInstitute === true) return undefined
  const earliest = Math.ceil(earliestStart(diary, cart, asking))
  if (startsAt < asking.now) return { ok: false, reason: 'past', earliest, members: [] }
  if (startsAt < earliest) return { ok: false, reason: 'notice', earliest, members: [] }
  const lastDay = lastBookableDay(diary, asking)
  if (dayOf(diary.timeZone, startsAt) > lastDay) return { ok: false, reason: 'horizon', lastDay, members: [] }
  if (isRepeated(zoneClock(diary.timeZone), startsAt)) return { ok: false, reason: 'repeated_time', members: [] }
  return undefined
}

function refuseOpening(diary: InstituteDiary, startsAt: EpochMinute): StartRefusal | undefined {
  const reason = whyNotOpen(diary, startsAt)
  return reason === undefined ? undefined : { ok: false, reason, members: [] }
}

/** `closed` when a closure or a day without hours is the cause, `outside_opening` between and around the hours of a day. */
function whyNotOpen(diary: InstituteDiary, at: EpochMinute): 'closed' | 'outside_opening' | undefined {
  const clock = zoneClock(diary.timeZone)
  const number = dayNumber(dayOf(diary.timeZone, at))
  const isWithin = (day: number, ranges: readonly number[]): boolean => {
    for (let i = 0; i < ranges.length; i += 2) {
      if (edgeAt(clock, day, ranges[i]!) <= at && at < edgeAt(clock, day, ranges[i + 1]!)) return true
    }
    return false
  }
  const open = [number - 1, number].some((day) => isWithin(day, openingOn(diary, day)))
  if (!open) return isClosedOn(diary, number) ? 'closed' : 'outside_opening'
  const closed = diary.closures.some(
    ({ fromDay, toDay, part }) =>
      part !== undefined &&
      [number - 1, number].some(
        (day) => dayNumber(fromDay) <= day && day <= dayNumber(toDay) && isWithin(day, [part.opensAt, part.closesAt]),
      ),
  )
  return closed ? 'closed' : undefined
}

/** Refuses a start at which the cart, in its own order, cannot be placed: names the first line that fails and looks at every member. */
export function refusePlacing(question: VisitQuestion, cart: readonly CartLine[], startsAt: EpochMinute, asking: Asking): StartRefusal {
  const { free, lines } = question
  let at = startsAt - free.origin
  let k = 0
  for (; k < lines.length - 1; k++) {
    const search = searchOfFirst(question, k + 1)
    if (!placeVisit(search, startsAt - free.origin)) break
    at = visitEnd(search)
  }
  const line = lines[k]!
  const members = free.diary.members
    .filter(({ id }) => cart[k]!.memberId === undefined || cart[k]!.memberId === id)
    .map((member) => refuseMember(question, line, member, at, k === 0, asking))
  const reason = HELPFUL.find((one) => members.some((member) => member.reason === one)) ?? 'not_performed'
  const late = k > 0 && fitsLater(question, line, at)
  return { ok: false, reason: late ? 'wait_too_long' : reason, line: k, members }
}

/** A fresh search for the first lines of the cart alone. */
function searchOfFirst(question: VisitQuestion, count: number): Search {
  const [search] = question.searches
  const failures = Array.from({ length: count }, () => ({ bits: undefined, open: undefined }))
  return { ...search!, lines: question.lines.slice(0, count), failures, starts: [], chosen: [], units: [] }
}

/** Whether a later service could be had the same day after a longer wait than allowed. */
function fitsLater(question: VisitQuestion, line: Line, end: number): boolean {
  const { free } = question
  const number = dayNumber(dayOf(free.diary.timeZone, free.origin + end))
  const dayEnd = edgeAt(free.clock, number + 1, 0) - free.origin
  const first = end + free.diary.rules.maxWaitMinutes + WAIT_STEP_MINUTES
  for (let at = first; at < dayEnd; at += WAIT_STEP_MINUTES) {
    if (!startsEarlyEnough(free, line.rule, at)) continue
    const fits = line.candidates.some(
      (candidate) =>
        at + candidate.span + line.rule.bufferAfterMinutes <= free.length &&
        memberFits(candidate, at) &&
        hasUnit(line, at, at + candidate.span),
    )
    if (fits) return true
  }
  return false
}

function hasUnit(line: Line, from: number, to: number): boolean {
  return line.units === undefined || line.units.some((unit) => unitIsFree(unit, line.rule, from, to))
}

function refuseMember(question: VisitQuestion, line: Line, member: MemberDiary, at: number, first: boolean, asking: Asking): MemberRefusal {
  const refusal = { line: line.place, memberId: member.id }
  if (!member.performs.has(line.rule.id)) return { ...refusal, reason: 'not_performed' }
  const candidate = line.candidates.find((one) => one.member.diary === member)
  if (candidate === undefined || !(member.bookableOnline || asking.forInstitute === true)) {
    return { ...refusal, reason: 'not_bookable_online' }
  }
  const { free } = question
  if (!startsEarlyEnough(free, line.rule, at)) return { ...refusal, reason: 'last_start' }
  const shut = nextSet(free.closed, at, at + candidate.span)
  if (shut < at + candidate.span) {
    return { ...refusal, reason: whyNotOpen(free.diary, free.origin + shut) ?? 'outside_opening' }
  }
  const blocked = firstBlocked(candidate, at)
  if (blocked !== undefined) return { ...refusal, ...whyBlocked(free, candidate.member, blocked) }
  const near = firstTooNear(line, candidate, at)
  if (near !== undefined) {
    return { ...refusal, reason: 'buffer', blocking: runAround(free, candidate.member.bufferedAgainst, near) }
  }
  if (!hasUnit(line, at, at + candidate.span)) return { ...refusal, reason: 'no_resource' }
  const onGrid = !first || !question.searches[0]!.onGrid || isSet(candidate.member.grid, at)
  return { ...refusal, reason: onGrid ? 'no_resource' : 'off_grid' }
}

function firstBlocked({ member, active, after, span }: Candidate, at: number): number | undefined {
  const { blocked } = member
  if (anySet(blocked, at, at + active)) return nextSet(blocked, at, at + active)
  const from = at + span - after
  return anySet(blocked, from, from + after) ? nextSet(blocked, from, from + after) : undefined
}

function firstTooNear({ rule }: Line, { member, active, after, span }: Candidate, at: number): number | undefined {
  const before = at - rule.bufferBeforeMinutes
  const { bufferedAgainst } = member
  if (anySet(bufferedAgainst, before, at)) return previousSetEnd(bufferedAgainst, at, before) - 1
  const end = at + (after > 0 ? span : active)
  const to = end + rule.bufferAfterMinutes
  return anySet(bufferedAgainst, end, to) ? nextSet(bufferedAgainst, end, to) : undefined
}

function whyBlocked(free: FreeTime, member: MemberTime, minute: number): Pick<MemberRefusal, 'reason' | 'blocking'> {
  const local = localMinuteAt(free.clock, free.origin + minute)
  const number = Math.floor(local / MINUTES_OF_DAY)
  const wall = local - number * MINUTES_OF_DAY
  const today = plannedDay(member.diary, number)
  const yesterday = plannedDay(member.diary, number - 1)
  if (!hasMinute(today.shifts, wall) && !hasMinute(yesterday.shifts, wall + MINUTES_OF_DAY)) {
    return { reason: 'outside_shift' }
  }
  if (!hasMinute(today.stretches, wall) && !hasMinute(yesterday.stretches, wall + MINUTES_OF_DAY)) {
    return { reason: 'on_break', blocking: runAround(free, member.blocked, minute) }
  }
  if (isSet(member.busy, minute)) return { reason: 'taken', blocking: runAround(free, member.busy, minute) }
  return { reason: isSet(free.closed, minute) ? 'closed' : 'on_leave' }
}

/** The unbroken run of set minutes around one of them, as instants. */
function runAround(free: FreeTime, bits: MemberTime['busy'], minute: number): Span {
  let from = minute
  let to = minute + 1
  while (from > 0 && isSet(bits, from - 1)) from--
  while (to < free.length && isSet(bits, to)) to++
  return { from: free.origin + from, to: free.origin + to }
}
