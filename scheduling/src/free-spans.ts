/** Open, working and free time as plain stretches of instants, for calendars and for summaries that searches keep. */
import { nextSet, type Bits } from './bits.ts'
import { dayNumber } from './days.ts'
import { readFreeTime, type FreeTime } from './free-time.ts'
import type { Day, InstituteDiary, Span } from './model.ts'

/** Whole calendar days of the institute's zone. */
export interface DaysAsked {
  readonly fromDay: Day
  readonly days: number
}

/** When the institute is open in these days, closures taken out; cut at the first and the last midnight. */
export function openSpans(diary: InstituteDiary, asked: DaysAsked): readonly Span[] {
  const free = read(diary, asked, [])
  return clearSpans(free, [free.closed])
}

/** When a member is at work in these days: shifts without breaks, absences and closures, whatever is booked. None for an unknown member. */
export function workingSpans(diary: InstituteDiary, memberId: string, asked: DaysAsked): readonly Span[] {
  const members = diary.members.map((member) => (member.id === memberId ? { ...member, busy: [] } : member))
  const free = read({ ...diary, members }, asked, [memberId])
  return free.members.flatMap(({ blocked }) => clearSpans(free, [blocked]))
}

/** When a member could still be booked in these days: at work, inside opening hours and not busy. None for an unknown member. */
export function freeSpans(diary: InstituteDiary, memberId: string, asked: DaysAsked): readonly Span[] {
  const free = read(diary, asked, [memberId])
  return free.members.flatMap(({ blocked }) => clearSpans(free, [blocked, free.closed]))
}

function read(diary: InstituteDiary, { fromDay, days }: DaysAsked, memberIds: readonly string[]): FreeTime {
  const from = dayNumber(fromDay)
  return readFreeTime(diary, {
    fromDay: from,
    toDay: from + days - 1,
    minutesBefore: 0,
    minutesAfter: 0,
    memberIds: new Set(memberIds),
    resourceTypes: new Set(),
  })
}

/** The stretches in which none of the rows has a bit set. */
function clearSpans({ origin, length }: FreeTime, rows: readonly Bits[]): readonly Span[] {
  const spans: Span[] = []
  let at = 0
  while (at < length) {
    const to = Math.min(...rows.map((row) => nextSet(row, at, length)))
    if (to > at) spans.push({ from: origin + at, to: origin + to })
    at = Math.max(to, at)
    while (at < length && rows.some((row) => nextSet(row, at, at + 1) === at)) at++
  }
  return spans
}
