// What stands in a column of the calendar, in minutes of its day: a column is one member on one day.
import type { Diary, DiaryBlock, DiaryDay, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { minutesOfDay } from '@soigne/contract/time'
import { wallMinutes } from '#/platform/dashboard-time.ts'
import { dayOf, parseInstant } from '#/platform/time.ts'

/** Minutes of a day, the end not included. */
export type Range = { from: number; to: number }

/** `isCut`: it reaches in from the day before, or blocked time out of it: moved from here it would be another length. */
type Laned = Range & { key: string; lane: number; lanes: number; isCut?: boolean }

/** A part of a visit that takes its member; a service with waiting in it has two, the time between is theirs. */
export type VisitItem = Laned & {
  kind: 'visit'
  visit: DiaryVisit
  /** Place of the service, or of the first of several that stand together. */
  position: number
  /** All of it, waiting too, as it is moved. */
  whole: Range
  /** Null when the whole visit stands in this block. */
  part: number | null
  last: number
  services: string
  isSecondHalf: boolean
  /** Kept free after it for clean-up, in minutes. */
  cleanUp: number
}
export type BlockedItem = Laned & { kind: 'blocked'; blocked: DiaryBlock; whole: Range }
export type SessionItem = Laned & { kind: 'session'; session: DiarySession; whole: Range }
/** Time between two stretches of a shift, on one day: it stays with its member and its day. */
export type BreakItem = Laned & { kind: 'break'; staffId: string; day: string; startsAt: string; endsAt: string; whole: Range }
export type GridItem = VisitItem | BlockedItem | SessionItem | BreakItem
/** What may be lifted. */
export type MovableItem = GridItem

export type Ground = Range & { kind: 'external' | 'on_holiday' | 'sick_leave' | 'other' }
export type Waiting = Range & { key: string }

export type GridColumn = {
  key: string
  day: string
  staffId: string
  shifts: Range[]
  grounds: Ground[]
  items: GridItem[]
  waits: Waiting[]
  gaps: Range[]
  /** How much of the shift is taken, in percent; null without a shift. */
  taken: number | null
  visits: number
}

/** An instant as minutes of a day: what lies before or after it is its edge. */
function minuteIn(instant: string, day: string, zone: string): number {
  const own = dayOf(instant, zone)
  if (own === day) return wallMinutes(instant, zone)
  return own < day ? 0 : minutesOfDay
}

export function rangeIn(stretch: { startsAt: string; endsAt: string }, day: string, zone: string): Range {
  return { from: minuteIn(stretch.startsAt, day, zone), to: minuteIn(stretch.endsAt, day, zone) }
}

/** Side by side where they overlap, in one pass over a sorted list. */
export function laned<Item extends Laned>(items: readonly Item[]): Item[] {
  const out: Item[] = []
  let group: Item[] = []
  let ends: number[] = []
  function close() {
    for (const item of group) out.push({ ...item, lanes: ends.length })
    group = []
    ends = []
  }
  for (const item of items.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (ends.length > 0 && ends.every((end) => end <= item.from)) close()
    const free = ends.findIndex((end) => end <= item.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = item.to
    group.push({ ...item, lane })
  }
  close()
  return out
}

const isOff = ({ status, attendance }: DiaryVisit): boolean => status === 'cancelled' || attendance === 'no_show'

/** Services of one visit that stand together when one member does them all without a pause. */
function standsTogether({ segments }: DiaryVisit): boolean {
  return segments.every(
    ({ staffId, idle, startsAt }, index) =>
      idle === null && staffId === segments[0]?.staffId && (index === 0 || startsAt === segments[index - 1]?.endsAt),
  )
}

type Day = { day: string; zone: string }

function itemsOfVisit(visit: DiaryVisit, staffId: string, { day, zone }: Day): { items: VisitItem[]; waits: Waiting[] } {
  const together = standsTogether(visit)
  const pieces = together ? [visit.segments] : visit.segments.map((segment) => [segment])
  const items: VisitItem[] = []
  const waits: Waiting[] = []
  for (const piece of pieces) {
    const [first, last] = [piece[0], piece.at(-1)]
    if (first?.staffId !== staffId || !last) continue
    const whole = rangeIn({ startsAt: first.startsAt, endsAt: last.endsAt }, day, zone)
    const idle = first.idle && rangeIn(first.idle, day, zone)
    const halves = idle
      ? [
          { ...whole, to: idle.from },
          { ...whole, from: idle.to },
        ]
      : [whole]
    const isCut = dayOf(first.startsAt, zone) !== day
    if (idle) waits.push({ ...idle, key: `${visit._id}:${first.position}` })
    for (const [half, range] of halves.entries()) {
      if (range.to <= range.from) continue
      items.push({
        kind: 'visit',
        key: `${visit._id}:${first.position}:${half}`,
        ...range,
        lane: 0,
        lanes: 1,
        visit,
        position: first.position,
        part: together ? null : first.position,
        last: last.position,
        whole,
        services: piece.map(({ serviceName }) => serviceName).join(', '),
        isSecondHalf: half === 1,
        cleanUp: half === halves.length - 1 ? last.bufferAfterMinutes : 0,
        ...(isCut && { isCut }),
      })
    }
  }
  return { items, waits }
}

const overlaps = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to

/** A visit let go gives way to whoever has its time now; nobody has a break's. */
function withoutCovered(items: readonly GridItem[]): GridItem[] {
  return items.filter(
    (item) =>
      item.kind !== 'visit' ||
      !isOff(item.visit) ||
      !items.some((other) => other !== item && other.kind !== 'break' && !isOffItem(other) && overlaps(item, other)),
  )
}

const isOffItem = (item: GridItem): boolean => item.kind === 'visit' && isOff(item.visit)

function groundsOf(member: DiaryDay['members'][number], { day, zone }: Day): Ground[] {
  const away = member.away.map((one): Ground => ({ kind: one.kind, ...rangeIn(one, day, zone) }))
  const external = member.external.map((one): Ground => ({ kind: 'external', ...rangeIn(one, day, zone) }))
  return [...away, ...external].filter(({ from, to }) => to > from)
}

/** What is left of a range beside others. */
const beside = (range: Range, others: readonly Range[]): Range[] =>
  others.reduce<Range[]>(
    (left, { from, to }) =>
      left
        .flatMap((one) => [
          { ...one, to: Math.min(one.to, from) },
          { ...one, from: Math.max(one.from, to) },
        ])
        .filter((one) => one.to > one.from),
    [range],
  )

/** Nobody who is away takes a break: what leave covers of one is not drawn. */
function breaksOf({ staffId, shifts, away }: DiaryDay['members'][number], { day, zone }: Day): BreakItem[] {
  const leave = away.map((one) => rangeIn(one, day, zone))
  return shifts.slice(1).flatMap((shift, index) => {
    const [startsAt, endsAt] = [shifts[index]?.endsAt ?? shift.startsAt, shift.startsAt]
    const whole = rangeIn({ startsAt, endsAt }, day, zone)
    // By its place: moved it is the same break still.
    const key = `${day}|${staffId}|${index}`
    if (whole.to <= whole.from) return []
    return beside(whole, leave).map((part, at): BreakItem => {
      return { kind: 'break', key: at === 0 ? key : `${key}|${at}`, staffId, day, startsAt, endsAt, whole, ...part, lane: 0, lanes: 1 }
    })
  })
}

/** Free time between two things of a shift, long enough to offer and short enough to be lost otherwise. */
export function gapsOf(
  column: Pick<GridColumn, 'shifts' | 'grounds' | 'items'>,
  { from, least }: { from: number; least: number },
): Range[] {
  const busy: Range[] = [
    ...column.items
      .filter((item) => !isOffItem(item))
      .map((item) => ({ from: item.from, to: item.to + ('cleanUp' in item ? item.cleanUp : 0) })),
    ...column.grounds,
  ].toSorted((a, b) => a.from - b.from)
  const gaps: Range[] = []
  let end: number | null = null
  for (const one of busy) {
    if (end !== null && one.from > end && end >= from) {
      const gap = { from: end, to: one.from }
      const isAtWork = column.shifts.some((shift) => shift.from <= gap.from && gap.to <= shift.to)
      if (isAtWork && gap.to - gap.from >= least && gap.to - gap.from <= mostGapMinutes) gaps.push(gap)
    }
    end = Math.max(end ?? 0, one.to)
  }
  return gaps.filter((gap) => column.items.every((item) => !overlaps(item, gap)))
}

const mostGapMinutes = 100
const leastGap = (gridMinutes: number): number => Math.min(60, Math.max(30, 2 * gridMinutes))

type ColumnInput = { diary: Diary; day: DiaryDay; staffId: string; /** Gaps before this minute are gone. */ from: number }

export function columnOf({ diary, day, staffId, from }: ColumnInput): GridColumn {
  const at = { day: day.day, zone: diary.timeZone }
  // What ends at midnight is over then: the next day has nothing of it.
  const touches = (one: { startsAt: string; endsAt: string }) => {
    const { from: begins, to } = rangeIn(one, at.day, at.zone)
    return to > begins
  }
  const visits = diary.visits.filter((visit) => visit.sessionId === null && touches(visit)).map((visit) => itemsOfVisit(visit, staffId, at))
  const blocked = diary.blocked
    .filter((one) => one.staffId === staffId && touches(one))
    .map((one): BlockedItem => {
      const whole = rangeIn(one, at.day, at.zone)
      const isCut = dayOf(one.startsAt, at.zone) !== at.day || dayOf(parseInstant(one.endsAt) - 1, at.zone) !== at.day
      return { kind: 'blocked', key: one._id, blocked: one, whole, ...whole, lane: 0, lanes: 1, ...(isCut && { isCut }) }
    })
  const sessions = diary.sessions
    .filter((one) => one.staffId === staffId && touches(one))
    .map((session): SessionItem => {
      const whole = rangeIn(session, at.day, at.zone)
      return { kind: 'session', key: session._id, session, whole, ...whole, lane: 0, lanes: 1 }
    })
  const member = day.members.find((one) => one.staffId === staffId)
  const breaks = member ? breaksOf(member, at) : []
  const items = laned(withoutCovered([...visits.flatMap((one) => one.items), ...blocked, ...sessions, ...breaks]))
  const shifts = member?.shifts.map((shift) => rangeIn(shift, at.day, at.zone)) ?? []
  const grounds = member ? groundsOf(member, at) : []
  const taken = member && member.shiftMinutes > 0 ? Math.round((100 * member.busyMinutes) / member.shiftMinutes) : null
  const coming = new Set(items.filter((item) => item.kind === 'visit' && !isOff(item.visit)).map((item) => (item as VisitItem).visit._id))
  return {
    key: `${at.day}|${staffId}`,
    day: at.day,
    staffId,
    shifts,
    grounds,
    items,
    waits: visits.flatMap((one) => one.waits),
    gaps: gapsOf({ shifts, grounds, items }, { from, least: leastGap(diary.gridMinutes) }),
    taken,
    visits: coming.size + sessions.length,
  }
}

/** The hours to draw: all that is open, worked or booked, in whole hours. */
export function hoursOf(diary: Diary, columns: readonly GridColumn[]): Range {
  const opens = diary.days.flatMap((day) => day.opens.map((one) => rangeIn(one, day.day, diary.timeZone)))
  const ranges = [...opens, ...columns.flatMap((column) => [...column.shifts, ...column.items])]
  if (ranges.length === 0) return { from: 9 * 60, to: 18 * 60 }
  const from = Math.min(...ranges.map((range) => range.from))
  const to = Math.max(...ranges.map((range) => range.to))
  return { from: Math.floor(from / 60) * 60, to: Math.min(minutesOfDay, Math.ceil(to / 60) * 60) }
}
