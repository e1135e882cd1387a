/** Which visits lie where an institute is not open: what new hours leave outside, and what a closure takes. Pure. */
import { anySet, isSet, setStretch, newBits } from '@soigne/scheduling/bits'
import { dayNumber, MINUTES_OF_DAY } from '@soigne/scheduling/days'
import { readFreeTime } from '@soigne/scheduling/free-time'
import type { DayRange, InstituteDiary, Span, Weekday } from '@soigne/scheduling/model'
import { openingOn } from '@soigne/scheduling/opening-hours'
import { dayNumberAt, edgeAt, zoneClock } from '@soigne/scheduling/wall-clock'

export interface Hours {
  timeZone: string
  openingHours: readonly { weekday: number; opensAt: number; closesAt: number }[]
  closures: readonly DayRange[]
}

const diaryOf = ({ timeZone, openingHours, closures }: Hours): InstituteDiary => ({
  timeZone,
  rules: { gridMinutes: 20, noticeMinutes: 0, horizonDays: 1, maxWaitMinutes: 0, gaps: 'off', serviceOrder: 'given' },
  openingHours: openingHours.map((range) => ({ ...range, weekday: range.weekday as Weekday })),
  closures,
  members: [],
  resources: [],
  services: new Map(),
})

/** Minutes in which it is not open, from the day of the first visit to that of the last. */
function closedMinutes(hours: Hours, visits: readonly Span[]) {
  const clock = zoneClock(hours.timeZone)
  const fromDay = dayNumberAt(clock, Math.min(...visits.map(({ from }) => from)))
  const toDay = dayNumberAt(clock, Math.max(...visits.map(({ to }) => to)))
  const reading = { fromDay, toDay, minutesBefore: 0, minutesAfter: 0, memberIds: new Set<string>(), resourceTypes: new Set<string>() }
  return readFreeTime(diaryOf(hours), reading)
}

/** Visits with a minute that was open and no longer is. */
export function leftOutside<Visit extends Span>(before: Hours, after: Hours, visits: readonly Visit[]): Visit[] {
  if (visits.length === 0) return []
  const [was, is] = [closedMinutes(before, visits), closedMinutes(after, visits)]
  const newlyClosed = newBits(is.length)
  for (let minute = 0; minute < is.length; minute++)
    if (isSet(is.closed, minute) && !isSet(was.closed, minute)) setStretch(newlyClosed, minute, minute + 1)
  return visits.filter(({ from, to }) => anySet(newlyClosed, from - is.origin, to - is.origin))
}

/** The instants a closure takes, whether or not the institute would be open: a night that began on the day belongs to it, one of the day before does not. */
export function closedSpans(hours: Omit<Hours, 'closures'>, { fromDay, toDay, part }: DayRange): Span[] {
  const clock = zoneClock(hours.timeZone)
  const diary = diaryOf({ ...hours, closures: [] })
  const [first, last] = [dayNumber(fromDay), dayNumber(toDay)]
  if (part) {
    const days = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    return days.map((number) => ({ from: edgeAt(clock, number, part.opensAt), to: edgeAt(clock, number, part.closesAt) }))
  }
  const nightOf = (number: number): number => Math.max(MINUTES_OF_DAY, openingOn(diary, number).at(-1) ?? 0) - MINUTES_OF_DAY
  return [{ from: edgeAt(clock, first, nightOf(first - 1)), to: edgeAt(clock, last + 1, nightOf(last)) }]
}

/** Visits that lie in a stretch, or partly. */
export const within = <Visit extends Span>(spans: readonly Span[], visits: readonly Visit[]): Visit[] =>
  visits.filter((visit) => spans.some(({ from, to }) => visit.from < to && visit.to > from))
