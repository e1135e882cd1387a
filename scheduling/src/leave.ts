/** What absences mean in instants: the time a member is gone, which visits and their buffers keep out of. */
import { dayNumber, dayOfNumber, MINUTES_OF_DAY } from './days.ts'
import type { DayRange, MemberDiary, Span } from './model.ts'
import { edgeAt, zoneClock, type ZoneClock } from './wall-clock.ts'
import { takesWholeDay } from './wall-ranges.ts'
import { plannedDay } from './working-time.ts'

/** The clock of a zone is known between these days. */
const FIRST_DAY = dayNumber('1995-01-02')
const LAST_DAY = dayNumber('2099-12-30')
/** Hours of each day are reckoned day by day: for no more than these, counted from the first. */
const MOST_PARTS = 1500

/** Day numbers, both included. */
interface Days {
  readonly from: number
  readonly to: number
}

type Shifts = Pick<MemberDiary, 'rotas' | 'overrides' | 'absences'>

/**
 * The stretches of instants one of a member's absences takes, in order, apart from one another. Whole days are taken from midnight to midnight, with
 * the hours after midnight of a night shift that begins on one of them, and without those of a shift that begins on a day of work around them.
 * Only days from `within.from` to `within.to` are looked at.
 */
export function leaveSpans(
  timeZone: string,
  member: Shifts,
  absence: DayRange,
  within: Days = { from: FIRST_DAY, to: LAST_DAY },
): readonly Span[] {
  const clock = zoneClock(timeZone)
  const from = Math.max(dayNumber(absence.fromDay), within.from, FIRST_DAY)
  const to = Math.min(dayNumber(absence.toDay), within.to, LAST_DAY)
  if (from > to) return []
  return absence.part === undefined ? wholeDays(clock, member, { from, to }) : partsOfDays(clock, absence.part, { from, to })
}

function partsOfDays(clock: ZoneClock, part: NonNullable<DayRange['part']>, { from, to }: Days): readonly Span[] {
  const spans: Span[] = []
  for (let number = from; number <= Math.min(to, from + MOST_PARTS - 1); number++) {
    spans.push({ from: edgeAt(clock, number, part.opensAt), to: edgeAt(clock, number, part.closesAt) })
  }
  return joined(spans)
}

function wholeDays(clock: ZoneClock, member: Shifts, { from, to }: Days): readonly Span[] {
  const taken = joined([{ from: edgeAt(clock, from, 0), to: edgeAt(clock, to, MINUTES_OF_DAY) }, ...nightOf(clock, member, to)])
  const works = [from - 1, to + 1].filter((number) => !takesWholeDay(member.absences, dayOfNumber(number)))
  return without(
    taken,
    works.flatMap((number) => stretchesOf(clock, member, number)),
  )
}

function stretchesOf(clock: ZoneClock, member: Shifts, number: number): readonly Span[] {
  const { stretches } = plannedDay(member, number)
  const spans: Span[] = []
  for (let i = 0; i < stretches.length; i += 2) {
    spans.push({ from: edgeAt(clock, number, stretches[i]!), to: edgeAt(clock, number, stretches[i + 1]!) })
  }
  return spans
}

/** The hours after midnight of the shifts that begin on a day. */
function nightOf(clock: ZoneClock, member: Shifts, number: number): readonly Span[] {
  const midnight = edgeAt(clock, number, MINUTES_OF_DAY)
  return stretchesOf(clock, member, number)
    .filter(({ to }) => to > midnight)
    .map(({ from, to }) => ({ from: Math.max(from, midnight), to }))
}

/** Stretches in order, those that touch or overlap as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = []
  for (const span of spans.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && span.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else all.push(span)
  }
  return all
}

function without(spans: readonly Span[], taken: readonly Span[]): readonly Span[] {
  return taken.reduce<readonly Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) => [
        ...(span.from < Math.min(span.to, from) ? [{ from: span.from, to: Math.min(span.to, from) }] : []),
        ...(Math.max(span.from, to) < span.to ? [{ from: Math.max(span.from, to), to: span.to }] : []),
      ]),
    spans,
  )
}
