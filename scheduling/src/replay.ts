/** Past bookings and searches asked again under other rules: each once as the rules are and once as they would be, on the diary of its moment. */
import { addDays } from './days.ts'
import type { CartLine, Day, EpochMinute, InstituteDiary, RefusalReason, Span } from './model.ts'
import { nextOffers, offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { asksForSeat } from './sessions.ts'
import { dayOf, spanOfDay } from './wall-clock.ts'

/** Time that was taken of a member or resource, from a moment on. */
export interface TakenSince extends Span {
  readonly subjectId: string
  readonly since: EpochMinute
  /** The visit it belongs to; null where it is none's. */
  readonly visitId: string | null
}

/** A visit that was booked, at its first start. */
export interface PastBooking {
  readonly id: string
  readonly askedAt: EpochMinute
  readonly startsAt: EpochMinute
  readonly cart: readonly CartLine[]
}

/** Somebody's asking for the free times of some days. */
export interface PastSearch {
  readonly askedAt: EpochMinute
  readonly fromDay: Day
  readonly days: number
  readonly cart: readonly CartLine[]
  /** Whether any time was found then. */
  readonly found: boolean
}

/** What would be other than it is; what is left out stays. */
export type ChangedRules = Partial<Pick<InstituteDiary, 'openingHours'>> & { readonly rules?: Partial<InstituteDiary['rules']> }

/** One that changes: its place in what was asked, the start that is won or lost, and why the other rules refuse that start. */
export interface Turned {
  readonly at: number
  readonly startsAt: EpochMinute
  readonly reason: RefusalReason
}

/** What would have been. */
export interface Replayed {
  /** Asked again with the outcome of then; the others say nothing and are left out. */
  readonly bookings: number
  readonly searches: number
  /** Of the searches that count: those that found nothing. */
  readonly foundNothing: number
  readonly lostBookings: readonly Turned[]
  readonly wonSearches: readonly Turned[]
  readonly lostSearches: readonly Turned[]
}

const MARGIN_DAYS = 2

/** The diary of a moment around some days: without what was taken later, and without one visit. */
function diaryAt(
  diary: InstituteDiary,
  taken: readonly TakenSince[],
  { askedAt, from, to, visitId }: { askedAt: EpochMinute; visitId?: string } & Span,
): InstituteDiary {
  const busy = new Map<string, Span[]>()
  for (const one of taken) {
    if (one.since >= askedAt || one.to <= from || one.from >= to || (visitId !== undefined && one.visitId === visitId)) continue
    const spans = busy.get(one.subjectId)
    if (spans) spans.push(one)
    else busy.set(one.subjectId, [one])
  }
  const withBusy = <T extends { readonly id: string }>(subject: T) => ({ ...subject, busy: busy.get(subject.id) ?? [] })
  return { ...diary, members: diary.members.map(withBusy), resources: diary.resources.map(withBusy) }
}

const changedDiary = (diary: InstituteDiary, { rules, openingHours }: ChangedRules): InstituteDiary => ({
  ...diary,
  rules: { ...diary.rules, ...rules },
  openingHours: openingHours ?? diary.openingHours,
})

const around = (diary: InstituteDiary, fromDay: Day, toDay: Day): Span => ({
  from: spanOfDay(diary.timeZone, addDays(fromDay, -MARGIN_DAYS)).from,
  to: spanOfDay(diary.timeZone, addDays(toDay, MARGIN_DAYS)).to,
})

/** How many starts a search found at its moment. */
export function startsFound(
  diary: InstituteDiary,
  taken: readonly TakenSince[],
  { askedAt, cart, fromDay, days }: Omit<PastSearch, 'found'>,
): number {
  const then = diaryAt(diary, taken, { ...around(diary, fromDay, addDays(fromDay, days - 1)), askedAt })
  return offersForDays(then, cart, { now: askedAt, fromDay, days }).reduce((sum, { times }) => sum + times.length, 0)
}

/** What is refused at a start that other rules offer. */
function reasonAt(diary: InstituteDiary, cart: readonly CartLine[], startsAt: EpochMinute, now: EpochMinute): RefusalReason {
  const planned = planVisit(diary, cart, startsAt, { now })
  return planned.ok ? 'strands_gap' : planned.reason
}

function firstStart(diary: InstituteDiary, { cart, fromDay, days, askedAt }: PastSearch): EpochMinute | undefined {
  const from = Math.max(askedAt, spanOfDay(diary.timeZone, fromDay).from)
  const untilDay = addDays(fromDay, days - 1)
  return nextOffers(diary, cart, { now: askedAt, from, limit: 1, untilDay })[0]?.startsAt
}

/**
 * Asks bookings and searches again. A booking counts where the rules as they are would take it again, and is lost where the changed ones would
 * not. A search counts where the rules as they are find a time as it did then, or none as it did; it is won or lost where the changed ones
 * answer otherwise. Classes are left out: how many seats were taken then is not known.
 */
export function replay(
  diary: InstituteDiary,
  changed: ChangedRules,
  past: { readonly bookings: readonly PastBooking[]; readonly searches: readonly PastSearch[]; readonly taken: readonly TakenSince[] },
): Replayed {
  const counted = { bookings: 0, searches: 0, foundNothing: 0 }
  const [lostBookings, wonSearches, lostSearches]: [Turned[], Turned[], Turned[]] = [[], [], []]
  for (const [at, { id, askedAt, startsAt, cart }] of past.bookings.entries()) {
    if (asksForSeat(diary, cart)) continue
    const day = dayOf(diary.timeZone, startsAt)
    const then = diaryAt(diary, past.taken, { ...around(diary, day, day), askedAt, visitId: id })
    if (!planVisit(then, cart, startsAt, { now: askedAt }).ok) continue
    counted.bookings++
    const planned = planVisit(changedDiary(then, changed), cart, startsAt, { now: askedAt })
    if (!planned.ok) lostBookings.push({ at, startsAt, reason: planned.reason })
  }
  for (const [at, search] of past.searches.entries()) {
    const { askedAt, cart, fromDay, days, found } = search
    if (asksForSeat(diary, cart)) continue
    const then = diaryAt(diary, past.taken, { ...around(diary, fromDay, addDays(fromDay, days - 1)), askedAt })
    const before = firstStart(then, search)
    if ((before !== undefined) !== found) continue
    counted.searches++
    if (!found) counted.foundNothing++
    const other = changedDiary(then, changed)
    const after = firstStart(other, search)
    if (before === undefined && after !== undefined) wonSearches.push({ at, startsAt: after, reason: reasonAt(then, cart, after, askedAt) })
    if (before !== undefined && after === undefined)
      lostSearches.push({ at, startsAt: before, reason: reasonAt(other, cart, before, askedAt) })
  }
  return { ...counted, lostBookings, wonSearches, lostSearches }
}
