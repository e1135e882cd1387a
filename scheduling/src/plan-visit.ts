/** Decides one start: the whole visit with members, resources and the time they give, or the reason why not. */
import { diaryFor } from './at-home.ts'
import { dayNumber } from './days.ts'
import type { FreeTime } from './free-time.ts'
import type { Asking, CartLine, Day, EpochMinute, InstituteDiary, Occupation, PlannedSegment, Planning, VisitPlan } from './model.ts'
import { offersOfDay } from './offers.ts'
import { refuseCart, refuseMoment, refusePlacing, refuseStart } from './refusal-reasons.ts'
import { asksForSeat, planSeat } from './sessions.ts'
import { preferLeastBooked, takenFrom, takenTo, type Search } from './visit-planner.ts'
import { askForVisit, earliestStart, strandedBy, tryStart, type Placed, type VisitQuestion } from './visit-question.ts'
import { dayOf, edgeAt, instantAtWall } from './wall-clock.ts'

/** What was read of an institute for the visit before: who has not changed is not read again for one on the same day. */
export interface LastReading {
  free?: FreeTime
}

/**
 * Plans a visit at an instant (epoch minutes). Succeeds for exactly the starts that `offersForDays` offers to the same asker;
 * for the institute itself, when no one is free on the grid, also off it and in the past. Run it inside the lock that guards the diary it was given.
 * `last` is read and written; diaries never change, another takes their place.
 */
export function planVisit(
  given: InstituteDiary,
  cart: readonly CartLine[],
  startsAt: EpochMinute,
  asking: Asking,
  last: LastReading = {},
): Planning {
  const diary = diaryFor(given, cart)
  const refusedCart = refuseCart(diary, cart)
  if (refusedCart !== undefined) return refusedCart
  if (asksForSeat(diary, cart)) {
    const refused = refuseMoment(diary, cart, startsAt, asking)
    // A session is put at an instant, also at one that the clock shows twice.
    return refused !== undefined && refused.reason !== 'repeated_time' ? refused : planSeat(diary, cart, startsAt, asking)
  }
  const refusedStart = refuseStart(diary, cart, startsAt, asking)
  if (refusedStart !== undefined) return refusedStart
  const day = dayOf(diary.timeZone, startsAt)
  const number = dayNumber(day)
  const ask = (onGrid: boolean): VisitQuestion | undefined => {
    const question = askForVisit(diary, cart, asking, { fromDay: day, toDay: day, onGrid }, last.free)
    if (question) last.free = question.free
    return question
  }
  let question = ask(true)
  let placed = question === undefined ? undefined : placeOnDay(question, number, startsAt)
  if (placed === undefined && asking.forInstitute === true) {
    question = ask(false)
    placed = question === undefined ? undefined : placeOnDay(question, number, startsAt)
  }
  if (question === undefined) return { ok: false, reason: 'unknown_service', members: [] }
  if (placed === undefined) return refusePlacing(question, cart, startsAt, asking)
  const plan = planOf(placed, startsAt, strandedBy(question, placed))
  if (plan.strandedMinutes === 0 || diary.rules.gaps !== 'hide' || asking.forInstitute === true) return { ok: true, plan }
  const offered = offersOfDay(question, asking, number, earliestStart(diary, cart, asking))
  if (offered.some((offer) => offer.startsAt === startsAt)) return { ok: true, plan }
  return { ok: false, reason: 'strands_gap', members: [] }
}

function placeOnDay(question: VisitQuestion, number: number, startsAt: EpochMinute): Placed | undefined {
  const { clock, origin } = question.free
  preferLeastBooked(question.lines, edgeAt(clock, number, 0) - origin, edgeAt(clock, number + 1, 0) - origin)
  return tryStart(question, startsAt - origin)
}

/**
 * Why a start is refused, or the plan if it is not. Takes an instant or a reading of the wall clock (`minute` 0…2880 of a day),
 * which also knows times that do not exist.
 */
export function explainStart(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  start: EpochMinute | { readonly day: Day; readonly minute: number },
  asking: Asking,
): Planning {
  if (typeof start === 'number') return planVisit(diary, cart, start, asking)
  const instant = instantAtWall(diary.timeZone, start.day, start.minute)
  if (!instant.ok) return { ok: false, reason: 'nonexistent_time', earliest: instant.at, members: [] }
  return planVisit(diary, cart, instant.at, asking)
}

function planOf(placed: Placed, startsAt: EpochMinute, strandedMinutes: number): VisitPlan {
  const { search } = placed
  const { origin } = search.free
  const segments = search.lines.map((line, k): PlannedSegment => {
    const { member, parts, span } = search.chosen[k]!
    const unit = search.units[k]
    const from = origin + search.starts[k]!
    return {
      line: line.place,
      serviceId: line.rule.id,
      memberId: member.diary.id,
      startsAt: from,
      endsAt: from + span,
      parts,
      ...(unit === undefined ? {} : { resourceId: unit.diary.id }),
      ...(line.rule.travelMinutes === undefined ? {} : { travelMinutes: line.rule.travelMinutes }),
    }
  })
  return { startsAt, endsAt: origin + placed.end, segments, occupations: occupationsOf(search), strandedMinutes }
}

function occupationsOf(search: Search): readonly Occupation[] {
  const { origin } = search.free
  const taken = search.lines.flatMap(({ rule }, k): Occupation[] => {
    const { member, active, idle, after, span } = search.chosen[k]!
    const start = origin + search.starts[k]!
    const from = origin + takenFrom(search, k)
    const to = origin + takenTo(search, k)
    const own = { subject: 'member' as const, id: member.diary.id }
    const parts =
      after > 0 && idle > 0
        ? [
            { ...own, from, to: start + active },
            { ...own, from: start + active + idle, to },
          ]
        : [{ ...own, from, to }]
    const unit = search.units[k]
    if (unit === undefined) return parts
    const unitTo = start + span + rule.bufferAfterMinutes
    return [...parts, { subject: 'resource', id: unit.diary.id, from, to: unitTo }]
  })
  return joinOccupations(taken)
}

/** Joins what touches or overlaps for each subject; sorted by subject, id and time, which is also the order to lock in. */
export function joinOccupations(taken: readonly Occupation[]): readonly Occupation[] {
  const joined: Occupation[] = []
  for (const next of taken.toSorted(inLockOrder)) {
    const last = joined.at(-1)
    if (last !== undefined && last.subject === next.subject && last.id === next.id && next.from <= last.to) {
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, next.to) }
    } else joined.push(next)
  }
  return joined
}

function inLockOrder(a: Occupation, b: Occupation): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return a.from - b.from
}
