/** Which starts to offer for a cart: by days, soonest first, nearest to an asked start, and which days have room at all. */
import { diaryFor } from './at-home.ts'
import { nextSet } from './bits.ts'
import { addDays, dayNumber, dayOfNumber } from './days.ts'
import type { Asking, CartLine, Day, DayOffers, DayRoom, EpochMinute, InstituteDiary, Offer, PartOfDay } from './model.ts'
import { isClosedOn } from './opening-hours.ts'
import { asksForSeat, seatOffers, seatOffersOfDays } from './sessions.ts'
import { preferLeastBooked } from './visit-planner.ts'
import {
  askForVisit,
  bookableDays,
  earliestStart,
  lastBookableDay,
  missingPrerequisite,
  strandedBy,
  tryStart,
  type VisitQuestion,
} from './visit-question.ts'
import { dayOf, edgeAt, wallMinuteOf, zoneClock } from './wall-clock.ts'

const NOON = 12 * 60
const EVENING = 17 * 60
/** Days read at once when looking ahead: few at first since most answers are near. */
const FIRST_STEP_DAYS = 4
const LONGEST_STEP_DAYS = 32

/** The part of day in which an instant lies on a zone's wall clock. */
export function partOfDay(timeZone: string, at: EpochMinute): PartOfDay {
  const minute = wallMinuteOf(timeZone, at)
  return minute < NOON ? 'morning' : minute < EVENING ? 'afternoon' : 'evening'
}

/**
 * The offers of `days` calendar days of the institute from `fromDay`, one entry for each day, also for days without any.
 * An empty cart, an unknown service or a member who does not perform it gives days without offers.
 */
export function offersForDays(
  given: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking & { readonly fromDay: Day; readonly days: number; readonly part?: PartOfDay | undefined },
): readonly DayOffers[] {
  const diary = diaryFor(given, cart)
  const { part } = asking
  if (asksForSeat(diary, cart)) return seatOffersByDay(diary, cart, asking)
  const within = bookableDays(diary, asking, asking.fromDay, asking.days)
  const question = within.fromDay > within.toDay ? undefined : askForVisit(diary, cart, asking, { ...within, onGrid: true })
  const earliest = earliestStart(diary, cart, asking)
  const answer: DayOffers[] = []
  const first = dayNumber(asking.fromDay)
  for (let number = first; number < first + asking.days; number++) {
    const day = dayOfNumber(number)
    const asked = question !== undefined && day >= within.fromDay && day <= within.toDay
    const times = asked ? offersOfDay(question, asking, number, earliest) : []
    const wanted = part === undefined ? times : times.filter((time) => partOfDay(diary.timeZone, time.startsAt) === part)
    answer.push({ day, times: wanted })
  }
  return answer
}

function seatOffersByDay(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking & { readonly fromDay: Day; readonly days: number; readonly part?: PartOfDay | undefined },
): readonly DayOffers[] {
  const { part, fromDay, days } = asking
  const times = seatOffersOfDays(diary, cart, asking, fromDay, days)
  const wanted = part === undefined ? times : times.filter(({ startsAt }) => partOfDay(diary.timeZone, startsAt) === part)
  const byDay = Map.groupBy(wanted, ({ startsAt }) => dayOf(diary.timeZone, startsAt))
  return Array.from({ length: days }, (_, n) => addDays(fromDay, n)).map((day) => ({ day, times: byDay.get(day) ?? [] }))
}

/** The first `limit` offers that start at or after `from`, up to `untilDay` (included) and the horizon; stops as soon as they are found. */
export function nextOffers(
  given: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking & {
    readonly from: EpochMinute
    readonly limit: number
    readonly untilDay: Day
    readonly part?: PartOfDay | undefined
  },
): readonly Offer[] {
  const diary = diaryFor(given, cart)
  const found: Offer[] = []
  const lastDay = [asking.untilDay, lastBookableDay(diary, asking)].sort()[0] ?? asking.untilDay
  if (asksForSeat(diary, cart)) {
    const all = seatOffers(diary, cart, asking, asking.from, edgeAt(zoneClock(diary.timeZone), dayNumber(lastDay) + 1, 0))
    return all
      .filter(({ startsAt }) => asking.part === undefined || partOfDay(diary.timeZone, startsAt) === asking.part)
      .slice(0, asking.limit)
  }
  let day = dayOf(diary.timeZone, Math.max(asking.from, asking.now))
  for (let step = FIRST_STEP_DAYS; day <= lastDay && found.length < asking.limit; step = Math.min(step * 2, LONGEST_STEP_DAYS)) {
    const days = Math.min(step, dayNumber(lastDay) - dayNumber(day) + 1)
    const within = { fromDay: day, toDay: addDays(day, days - 1), onGrid: true }
    const question = askForVisit(diary, cart, asking, within)
    if (question === undefined) return found
    const earliest = earliestStart(diary, cart, asking)
    for (let number = dayNumber(day); number < dayNumber(day) + days && found.length < asking.limit; number++) {
      for (const offer of offersOfDay(question, asking, number, earliest)) {
        if (offer.startsAt < asking.from || found.length === asking.limit) continue
        if (asking.part === undefined || partOfDay(diary.timeZone, offer.startsAt) === asking.part) found.push(offer)
      }
    }
    day = addDays(day, days)
  }
  return found
}

/** For each of `days` calendar days from `fromDay` whether there is any offer; looks no further than the first of a day. */
export function daysWithRoom(
  given: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking & { readonly fromDay: Day; readonly days: number },
): readonly DayRoom[] {
  const diary = diaryFor(given, cart)
  if (asksForSeat(diary, cart)) {
    return seatOffersByDay(diary, cart, { ...asking, part: undefined }).map(({ day, times }) => ({
      day,
      room: times.length > 0 ? 'some' : 'none',
      closed: isClosedOn(diary, dayNumber(day)),
    }))
  }
  const within = bookableDays(diary, asking, asking.fromDay, asking.days)
  const question = within.fromDay > within.toDay ? undefined : askForVisit(diary, cart, asking, { ...within, onGrid: true })
  const earliest = earliestStart(diary, cart, asking)
  const answer: DayRoom[] = []
  const first = dayNumber(asking.fromDay)
  for (let number = first; number < first + asking.days; number++) {
    const day = dayOfNumber(number)
    const asked = question !== undefined && day >= within.fromDay && day <= within.toDay
    const some = asked && startsOfDay(question, number, earliest, 1).length > 0
    answer.push({ day, room: some ? 'some' : 'none', closed: isClosedOn(diary, number) })
  }
  return answer
}

/**
 * The `limit` offers nearest to an asked start, in order of time, for someone whose start is taken. Equally near: the earlier.
 * Looks at the asked day first, then at more and more days around it, up to `withinDays` (default 60).
 */
export function nearestOffers(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  aroundStart: EpochMinute,
  asking: Asking & { readonly limit: number; readonly withinDays?: number | undefined },
): readonly Offer[] {
  const withinDays = asking.withinDays ?? 60
  const day = dayOf(diary.timeZone, aroundStart)
  for (let reach = 0; ; reach = Math.min(reach === 0 ? 1 : reach * 3, withinDays)) {
    const fromDay = addDays(day, -reach)
    const days = 2 * reach + 1
    const nearest = offersForDays(diary, cart, { ...asking, fromDay, days })
      .flatMap(({ times }) => times)
      .filter(({ startsAt }) => startsAt !== aroundStart)
      .sort((a, b) => Math.abs(a.startsAt - aroundStart) - Math.abs(b.startsAt - aroundStart) || a.startsAt - b.startsAt)
      .slice(0, asking.limit)
    const farthest = nearest.at(-1)
    const clearlyNearest =
      nearest.length === asking.limit && farthest !== undefined && isWithinReach(diary, farthest, aroundStart, fromDay, days)
    if (clearlyNearest || reach >= withinDays) return nearest.sort((a, b) => a.startsAt - b.startsAt)
  }
}

/** Whether no day outside the days looked at could hold a nearer start. */
function isWithinReach(diary: InstituteDiary, offer: Offer, around: EpochMinute, fromDay: Day, days: number): boolean {
  const distance = Math.abs(offer.startsAt - around)
  return dayOf(diary.timeZone, around - distance) >= fromDay && dayOf(diary.timeZone, around + distance) <= addDays(fromDay, days - 1)
}

/** The offers of one day of a question, the gap rule applied: hiding never empties a day. */
export function offersOfDay(question: VisitQuestion, asking: Asking, number: number, earliest: EpochMinute): readonly Offer[] {
  const times = startsOfDay(question, number, earliest, Infinity)
  return question.free.diary.rules.gaps !== 'hide' || asking.forInstitute === true ? times : withoutStranding(times)
}

/** What is left of a day's starts where those that strand time are hidden; all of them when each strands some. */
export function withoutStranding(times: readonly Offer[]): readonly Offer[] {
  const clean = times.filter(({ strandedMinutes }) => strandedMinutes === 0)
  return clean.length > 0 ? clean : times
}

/** Up to `limit` possible starts of one day, earliest first, whatever they strand. */
export function startsOfDay(question: VisitQuestion, number: number, earliest: EpochMinute, limit: number): readonly Offer[] {
  const { free, starts } = question
  const from = edgeAt(free.clock, number, 0) - free.origin
  const to = edgeAt(free.clock, number + 1, 0) - free.origin
  const times: Offer[] = []
  preferLeastBooked(question.lines, from, to)
  let at = nextSet(starts, Math.max(from, Math.ceil(earliest) - free.origin), to)
  for (; at < to && times.length < limit; at = nextSet(starts, at + 1, to)) {
    const startsAt = free.origin + at
    if (missingPrerequisite(question, startsAt) !== undefined) continue
    const placed = tryStart(question, at)
    if (placed === undefined) continue
    times.push({ startsAt, endsAt: free.origin + placed.end, strandedMinutes: strandedBy(question, placed) })
  }
  return times
}
