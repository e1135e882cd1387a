/** Days of a calendar reckoned from what was read: opening, people at work, and how much of their time is taken. */
import type { DiaryDay } from '@soigne/contract/diary'
import { addDays, dayNumber } from '@soigne/scheduling/days'
import { leaveSpans } from '@soigne/scheduling/leave'
import type { EpochMinute, InstituteDiary, MemberDiary, Span } from '@soigne/scheduling/model'
import { openingOn } from '@soigne/scheduling/opening-hours'
import { edgeAt, spanOfDay, zoneClock } from '@soigne/scheduling/wall-clock'
import { partsTaken, withoutRanges, type WallRanges } from '@soigne/scheduling/wall-ranges'
import { plannedDay } from '@soigne/scheduling/working-time'
import type { Locale } from '@soigne/contract/wire'
import { minuteOfText, minuteText } from '#/platform/instants.ts'
import { localised } from '#/texts/translate.ts'
import type { Beside, TakenRow } from './days-store.ts'

/** Stretches in order, those that touch or overlap as one. */
export function united(spans: readonly Span[]): Span[] {
  const all: { from: EpochMinute; to: EpochMinute }[] = []
  for (const { from, to } of spans.filter((span) => span.from < span.to).toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/** What is left of some stretches without others. */
export const without = (spans: readonly Span[], gone: readonly Span[]): Span[] =>
  gone.reduce<Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) =>
        [
          { from: span.from, to: Math.min(span.to, from) },
          { from: Math.max(span.from, to), to: span.to },
        ].filter((piece) => piece.from < piece.to),
      ),
    [...spans],
  )

const clippedTo = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })).filter((span) => span.from < span.to)
const minutesOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

const textOf = ({ from, to }: Span): { startsAt: string; endsAt: string } => ({ startsAt: minuteText(from), endsAt: minuteText(to) })
const spanOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): Span => ({
  from: minuteOfText(startsAt),
  to: minuteOfText(endsAt),
})

/** The parts of one service in which its member works: all but the idle part. */
export function activeSpans({ startsAt, endsAt, active, idle }: Omit<TakenRow, 'memberId'>): Span[] {
  const { from, to } = spanOf({ startsAt, endsAt })
  if (active === null || idle === null || idle === 0) return [{ from, to }]
  const pause = from + active
  return [
    { from, to: pause },
    { from: pause + idle, to },
  ]
}

/** Read once, asked for every day. */
export interface CalendarFacts {
  diary: InstituteDiary
  beside: Pick<Beside, 'absences' | 'closures' | 'external' | 'sessions'>
  taken: readonly TakenRow[]
}

const instantsOf = (timeZone: string, number: number, ranges: WallRanges): Span[] => {
  const clock = zoneClock(timeZone)
  return Array.from({ length: ranges.length / 2 }, (_, at) => ({
    from: edgeAt(clock, number, ranges[2 * at] ?? 0),
    to: edgeAt(clock, number, ranges[2 * at + 1] ?? 0),
  })).filter(({ from, to }) => from < to)
}

/** When the institute is open on a day. */
export const opensOn = ({ diary }: CalendarFacts, day: string): Span[] => {
  const number = dayNumber(day)
  return instantsOf(diary.timeZone, number, withoutRanges(openingOn(diary, number), partsTaken(diary.closures, day)))
}

type Absence = CalendarFacts['beside']['absences'][number]
/** When an absence takes a member away, as far as it touches a day. */
function awaySpans({ timeZone }: InstituteDiary, member: MemberDiary, { fromDay, toDay, opensAt, closesAt }: Absence, day: string): Span[] {
  const number = dayNumber(day)
  const part = opensAt === null || closesAt === null ? {} : { part: { opensAt, closesAt } }
  const span = spanOfDay(timeZone, day)
  return leaveSpans(timeZone, member, { fromDay, toDay, ...part }, { from: number - 1, to: number + 1 }).filter(
    ({ from, to }) => from < span.to && to > span.from,
  )
}

interface WorkingDay {
  shifts: Span[]
  away: { absence: Absence; spans: Span[] }[]
  /** At work, absences left out. */
  present: Span[]
  busy: Span[]
}
/** A member's day: their shifts, and what visits and sessions take of it; what overlaps is counted once. */
export function workOn({ diary, beside, taken }: CalendarFacts, member: MemberDiary, day: string): WorkingDay {
  const shifts = instantsOf(diary.timeZone, dayNumber(day), plannedDay(member, dayNumber(day)).stretches)
  const away = beside.absences
    .filter(({ memberId, fromDay, toDay }) => memberId === member.id && fromDay <= day && day <= toDay)
    .map((absence) => ({ absence, spans: awaySpans(diary, member, absence, day) }))
  const span = spanOfDay(diary.timeZone, day)
  const visits = taken.filter(({ memberId }) => memberId === member.id).flatMap(activeSpans)
  const sessions = beside.sessions.filter(({ memberId }) => memberId === member.id).map(spanOf)
  return {
    shifts,
    away,
    present: without(
      shifts,
      away.flatMap(({ spans }) => spans),
    ),
    busy: united(clippedTo([...visits, ...sessions], span)),
  }
}

export function closureOf({ diary, beside }: CalendarFacts, day: string, locale: Locale): string | null {
  const closure = beside.closures.find(({ fromDay, toDay, isWhole }) => isWhole && fromDay <= day && day <= toDay)
  if (!closure) return null
  const isOpenOtherwise = opensOn({ diary: { ...diary, closures: [] }, beside, taken: [] }, day).length > 0
  return localised(closure.reason, locale) ?? (isOpenOtherwise ? '' : null)
}

export function dayForWire(facts: CalendarFacts, members: readonly MemberDiary[], day: string, locale: Locale): DiaryDay {
  const span = spanOfDay(facts.diary.timeZone, day)
  return {
    day,
    opens: opensOn(facts, day).map(textOf),
    closure: closureOf(facts, day, locale),
    members: members.map((member) => {
      const { shifts, away, present, busy } = workOn(facts, member, day)
      return {
        staffId: member.id,
        shifts: shifts.map(textOf),
        shiftMinutes: minutesOf(present),
        busyMinutes: minutesOf(busy),
        away: away.flatMap(({ absence: { id, kind }, spans }) => clippedTo(spans, span).map((one) => ({ _id: id, kind, ...textOf(one) }))),
        external: clippedTo(facts.beside.external.filter(({ memberId }) => memberId === member.id).map(spanOf), span).map(textOf),
      }
    }),
  }
}

export const daysFrom = (from: string, days: number): string[] => Array.from({ length: days }, (_, at) => addDays(from, at))

interface HourOfDay {
  hour: number
  taken: number
}
/** How full a day is: minutes at work and those taken, and for each open hour of the wall clock the share taken. */
export function fullnessOf(
  facts: CalendarFacts,
  members: readonly MemberDiary[],
  day: string,
): { shiftMinutes: number; busyMinutes: number; hours: HourOfDay[] } {
  // Who is away works on nothing, whatever they still have in the calendar.
  const work = members.map((member) => workOn(facts, member, day)).filter(({ present }) => present.length > 0)
  const clock = zoneClock(facts.diary.timeZone)
  const opens = opensOn(facts, day)
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    span: { from: edgeAt(clock, dayNumber(day), hour * 60), to: edgeAt(clock, dayNumber(day), hour * 60 + 60) },
  })).filter(({ span }) => opens.some(({ from, to }) => from < span.to && to > span.from))
  const inHour = (spans: readonly Span[], span: Span): number => minutesOf(clippedTo(spans, span))
  return {
    shiftMinutes: work.reduce((sum, { present }) => sum + minutesOf(present), 0),
    busyMinutes: work.reduce((sum, { busy }) => sum + minutesOf(busy), 0),
    hours: hours.map(({ hour, span }) => {
      const atWork = work.reduce((sum, { present }) => sum + inHour(present, span), 0)
      const busy = work.reduce((sum, one) => sum + inHour(one.busy, span), 0)
      return { hour, taken: atWork === 0 ? 0 : Math.min(1, busy / atWork) }
    }),
  }
}
