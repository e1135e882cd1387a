/** The diary of some days read into rows of bits, one bit per minute, so that every later question is a few machine words. */
import { addBits, clearStretch, newBits, setStretch, type Bits } from './bits.ts'
import { dayOfNumber, MINUTES_OF_DAY } from './days.ts'
import { leaveSpans } from './leave.ts'
import type { Day, DayRange, InstituteDiary, MemberDiary, ResourceDiary, ServiceParts, Span } from './model.ts'
import { openingOn } from './opening-hours.ts'
import { baseOfDay, dayNumberAt, edgeAt, localMinuteAt, zoneClock, type ZoneClock } from './wall-clock.ts'
import { partsTaken, takesWholeDay, type WallRanges } from './wall-ranges.ts'
import { workingDays } from './working-time.ts'

/** A member's time. `blocked`: cannot work (off, on a break, away, closed, taken). `busy`: taken by others. `grid`: starts of the shifts' grid. */
export interface MemberTime {
  readonly diary: MemberDiary
  readonly blocked: Bits
  readonly busy: Bits
  /** Busy, or gone: what buffers keep out of. The same row as `busy` for a member without absences. */
  readonly bufferedAgainst: Bits
  readonly grid: Bits
  /** Span with buffers of the shortest service the member performs, 0 when none. */
  readonly shortestMinutes: number
}

/** A resource's time. `blocked`: closed or taken. `busy`: taken by other visits. */
export interface ResourceTime {
  readonly diary: ResourceDiary
  readonly blocked: Bits
  readonly busy: Bits
}

/** Rows that all begin at the instant `origin` and are `length` minutes long. */
export interface FreeTime {
  readonly diary: InstituteDiary
  readonly clock: ZoneClock
  readonly origin: number
  readonly length: number
  /** Minutes in which the institute is not open. */
  readonly closed: Bits
  /** The opening ranges of a day number that reaches into the rows. */
  readonly openings: (number: number) => WallRanges
  /** Those asked for, in the order of the diary. */
  readonly members: readonly MemberTime[]
  /** Those of the types asked for, by order, then id. */
  readonly resources: readonly ResourceTime[]
}

/** Which days to read, with how many minutes around them, for whom. */
export interface Reading {
  readonly fromDay: number
  readonly toDay: number
  readonly minutesBefore: number
  readonly minutesAfter: number
  readonly memberIds: ReadonlySet<string>
  readonly resourceTypes: ReadonlySet<string>
}

interface Frame {
  readonly diary: InstituteDiary
  readonly clock: ZoneClock
  readonly origin: number
  readonly length: number
  /** Day numbers that can reach into the rows, with what turns a wall minute of each into a bit (NaN on a day of change). */
  readonly firstDay: number
  readonly bases: Float64Array
  readonly days: readonly Day[]
  readonly openings: readonly WallRanges[]
  /** Days that a closure takes whole. */
  readonly shut: readonly boolean[]
}

/** Elapsed minutes of all three parts. */
export function spanMinutes(parts: ServiceParts): number {
  return parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes
}

/**
 * Reads the days from…to (both included) and the minutes around them. Who is the same in `like`, a reading of the same days before something changed,
 * is not read again.
 */
export function readFreeTime(diary: InstituteDiary, reading: Reading, like?: FreeTime): FreeTime {
  const clock = zoneClock(diary.timeZone)
  const origin = edgeAt(clock, reading.fromDay, 0) - reading.minutesBefore
  const length = edgeAt(clock, reading.toDay + 1, 0) + reading.minutesAfter - origin
  const firstDay = dayNumberAt(clock, origin) - 1
  const bases = new Float64Array(dayNumberAt(clock, origin + length) - firstDay + 1)
  for (let i = 0; i < bases.length; i++) bases[i] = baseOfDay(clock, firstDay + i) - origin
  const days = Array.from(bases, (_, i) => dayOfNumber(firstDay + i))
  const openings = days.map((_, i) => openingOn(diary, firstDay + i))
  const shut = days.map((day) => takesWholeDay(diary.closures, day))
  const frame = { diary, clock, origin, length, firstDay, bases, days, openings, shut }
  const closures = partsRow(frame, diary.closures)
  const kept = like !== undefined && isOfSameDays(like, frame) ? keptOf(like) : undefined
  const members = diary.members
    .filter((member) => reading.memberIds.has(member.id))
    .map((member) => kept?.members.get(member) ?? readMember(frame, member, closures))
  const resources = diary.resources
    .filter((resource) => reading.resourceTypes.has(resource.type))
    .map((resource) => kept?.resources.get(resource) ?? readResource(frame, resource))
    .sort((a, b) => a.diary.order - b.diary.order || (a.diary.id < b.diary.id ? -1 : 1))
  return {
    diary,
    clock,
    origin,
    length,
    closed: readClosed(frame, closures),
    openings: (number) => openings[number - firstDay] ?? [],
    members,
    resources,
  }
}

/** Whether a member or resource that is the same takes the same rows. */
function isOfSameDays(like: FreeTime, { diary, origin, length }: Frame): boolean {
  return (
    like.origin === origin &&
    like.length === length &&
    like.diary.timeZone === diary.timeZone &&
    like.diary.closures === diary.closures &&
    like.diary.services === diary.services &&
    like.diary.rules === diary.rules
  )
}

const keptOf = ({ members, resources }: FreeTime) => ({
  members: new Map(members.map((one) => [one.diary, one])),
  resources: new Map(resources.map((one) => [one.diary, one])),
})

function rowMinute(frame: Frame, index: number, minute: number): number {
  const base = frame.bases[index]!
  return Number.isNaN(base) ? edgeAt(frame.clock, frame.firstDay + index, minute) - frame.origin : base + minute
}

function readClosed(frame: Frame, closures: Bits | undefined): Bits {
  const closed = newBits(frame.length).fill(-1)
  for (let index = 0; index < frame.bases.length; index++) {
    const ranges = frame.openings[index]!
    for (let i = 0; i < ranges.length; i += 2) {
      clearStretch(closed, rowMinute(frame, index, ranges[i]!), rowMinute(frame, index, ranges[i + 1]!))
    }
  }
  if (closures !== undefined) addBits(closed, closures)
  return closed
}

function readMember(frame: Frame, member: MemberDiary, closures: Bits | undefined): MemberTime {
  const blocked = newBits(frame.length).fill(-1)
  const grid = newBits(frame.length)
  const workingDay = workingDays(member)
  for (let index = 0; index < frame.bases.length; index++) {
    if (frame.shut[index] === true) continue
    const { shifts, stretches } = workingDay(frame.firstDay + index, frame.days[index]!)
    for (let i = 0; i < stretches.length; i += 2) {
      clearStretch(blocked, rowMinute(frame, index, stretches[i]!), rowMinute(frame, index, stretches[i + 1]!))
    }
    for (let i = 0; i < shifts.length; i += 2) markGrid(frame, grid, index, shifts[i]!, shifts[i + 1]!)
  }
  const absences = partsRow(frame, member.absences)
  if (absences !== undefined) addBits(blocked, absences)
  if (closures !== undefined) addBits(blocked, closures)
  const busy = busyRow(frame, member.busy)
  addBits(blocked, busy)
  return {
    diary: member,
    blocked,
    busy,
    bufferedAgainst: withLeave(frame, member, busy),
    grid,
    shortestMinutes: shortestMinutes(frame.diary, member),
  }
}

/** Nobody cleans up after they have gone. */
function withLeave(frame: Frame, member: MemberDiary, busy: Bits): Bits {
  if (member.absences.length === 0) return busy
  const row = busy.slice()
  const within = { from: frame.firstDay - 1, to: frame.firstDay + frame.bases.length }
  for (const absence of member.absences) {
    for (const { from, to } of leaveSpans(frame.diary.timeZone, member, absence, within))
      setStretch(row, from - frame.origin, to - frame.origin)
  }
  return row
}

/** Marks the starts of one shift: wall-clock steps from its start, those that do not exist left out, of repeated ones the first. */
function markGrid(frame: Frame, grid: Bits, index: number, opensAt: number, closesAt: number): void {
  const step = frame.diary.rules.gridMinutes
  const base = frame.bases[index]!
  if (!Number.isNaN(base)) {
    const end = Math.min(base + closesAt, frame.length)
    for (let at = base + opensAt; at < end; at += step) if (at >= 0) grid[at >>> 5]! |= 1 << (at & 31)
    return
  }
  const number = frame.firstDay + index
  for (let minute = opensAt; minute < closesAt; minute += step) {
    const at = edgeAt(frame.clock, number, minute)
    if (localMinuteAt(frame.clock, at) !== number * MINUTES_OF_DAY + minute) continue
    setStretch(grid, at - frame.origin, at - frame.origin + 1)
  }
}

function readResource(frame: Frame, resource: ResourceDiary): ResourceTime {
  const busy = busyRow(frame, resource.busy)
  const blocked = busy.slice()
  for (let index = 0; index < frame.bases.length; index++) {
    if (!takesWholeDay(resource.closures, frame.days[index]!)) continue
    setStretch(blocked, rowMinute(frame, index, 0), rowMinute(frame, index, MINUTES_OF_DAY))
  }
  const closures = partsRow(frame, resource.closures)
  if (closures !== undefined) addBits(blocked, closures)
  return { diary: resource, blocked, busy }
}

function busyRow(frame: Frame, busy: readonly Span[]): Bits {
  const row = newBits(frame.length)
  const { origin, length } = frame
  for (let i = 0; i < busy.length; i++) {
    const { from, to } = busy[i]!
    if (to > origin && from - origin < length) setStretch(row, from - origin, to - origin)
  }
  return row
}

/** The minutes that partial closures or absences take, or nothing when there are none. */
function partsRow(frame: Frame, ranges: readonly DayRange[]): Bits | undefined {
  if (ranges.every((range) => range.part === undefined)) return undefined
  const row = newBits(frame.length)
  for (let index = 0; index < frame.bases.length; index++) {
    const parts = partsTaken(ranges, frame.days[index]!)
    for (let i = 0; i < parts.length; i += 2) {
      setStretch(row, rowMinute(frame, index, parts[i]!), rowMinute(frame, index, parts[i + 1]!))
    }
  }
  return row
}

function shortestMinutes(diary: InstituteDiary, member: MemberDiary): number {
  let shortest = 0
  for (const [serviceId, performance] of member.performs) {
    const service = diary.services.get(serviceId)
    if (service === undefined) continue
    const minutes = service.bufferBeforeMinutes + spanMinutes(performance.parts ?? service.parts) + service.bufferAfterMinutes
    if (shortest === 0 || minutes < shortest) shortest = minutes
  }
  return shortest
}
