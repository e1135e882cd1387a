/**
 * Places the services of one visit, one after another, on members and resources. The first success of a depth-first search wins, so that
 * the same diary and the same question always give the same answer. Row minutes throughout.
 */
import { anySet, countSet, isSet, keepBits, newBits, nextClear, nextSet, setStretch, type Bits } from './bits.ts'
import type { FreeTime, MemberTime, ResourceTime } from './free-time.ts'
import { strandedAround } from './gaps.ts'
import type { ServiceParts, ServiceRule } from './model.ts'
import { openingMinute } from './opening-hours.ts'
import { localMinuteAt } from './wall-clock.ts'

/** Waits and starts inside an idle part are tried in these steps. */
export const WAIT_STEP_MINUTES = 5

/** A member who may perform a line, with how long each part takes this member. */
export interface Candidate {
  readonly member: MemberTime
  readonly parts: ServiceParts
  readonly active: number
  readonly idle: number
  readonly after: number
  readonly span: number
  readonly needs: readonly Need[]
  /** Starts at which the member cannot perform the line; read when the same starts are asked for again and again. */
  unfit: Bits | undefined
}

/** No minute of a row may be set from…to (half-open, counted from the start). */
export interface Need {
  readonly row: Bits
  readonly from: number
  readonly to: number
}

/** One service of the cart with everyone who may perform it, the preferred first. */
export interface Line {
  readonly place: number
  readonly rule: ServiceRule
  readonly candidates: Candidate[]
  /** Units of the type it needs; absent when it needs none. */
  readonly units: readonly ResourceTime[] | undefined
  /** Starts at which no candidate can perform it; read when everyone has been asked in vain. */
  nobody: Bits | undefined
}

/** A search for one order of the lines, with what it has placed so far. */
export interface Search {
  readonly free: FreeTime
  readonly lines: readonly Line[]
  readonly maxWait: number
  /** Off when the institute books for itself at any minute. */
  readonly onGrid: boolean
  readonly starts: number[]
  readonly chosen: Candidate[]
  readonly units: (ResourceTime | undefined)[]
  /** For each line: the ends of what came before after which the rest is known to fail; shared by orders that end alike. */
  readonly failures: readonly Failures[]
}

/** Dead ends met before; they hold for every start of the visit. `bits`: by end, where nothing placed reaches past it. `open`: by what does. */
export interface Failures {
  bits: Bits | undefined
  open: Set<string> | undefined
}

/** Tries to place the whole visit from a start; true leaves the answer in `starts`, `chosen` and `units`. */
export function placeVisit(search: Search, at: number): boolean {
  return placeAt(search, 0, at, false)
}

/** Row minute at which the placed visit ends. */
export function visitEnd(search: Search): number {
  let end = 0
  for (let k = 0; k < search.lines.length; k++) end = Math.max(end, search.starts[k]! + search.chosen[k]!.span)
  return end
}

function placeRest(search: Search, k: number): boolean {
  if (k === search.lines.length) return true
  const previous = search.starts[k - 1]!
  let open = false
  let end = 0
  for (let j = 0; j < k; j++) {
    const { active, idle, span } = search.chosen[j]!
    const start = search.starts[j]!
    end = Math.max(end, start + span)
    if (idle > 0 && start + active + idle > previous) open = true
  }
  return open && search.lines[k]!.rule.isSequential !== true ? placeInOrAfter(search, k, previous, end) : placeAfter(search, k, end)
}

/** Goes on where nothing placed can take the next service inside: what follows depends on the end alone. */
function placeAfter(search: Search, k: number, end: number): boolean {
  const failures = search.failures[k]!
  if (failures.bits !== undefined && isSet(failures.bits, end)) return false
  if (placeWaiting(search, k, end)) return true
  failures.bits ??= newBits(search.free.length)
  setStretch(failures.bits, end, end + 1)
  return false
}

/** Goes on inside an idle part that is still ahead, else after the end. */
function placeInOrAfter(search: Search, k: number, previous: number, end: number): boolean {
  const failures = search.failures[k]!
  const state = k > 1 ? openState(search, k, previous) : undefined
  if (state !== undefined && failures.open?.has(state) === true) return false
  for (const at of nestedStarts(search, k, previous)) if (placeAt(search, k, at, true)) return true
  if (placeWaiting(search, k, end)) return true
  if (state !== undefined) (failures.open ??= new Set()).add(state)
  return false
}

function placeWaiting(search: Search, k: number, end: number): boolean {
  for (let wait = 0; wait <= search.maxWait; wait += WAIT_STEP_MINUTES) {
    if (placeAt(search, k, end + wait, false)) return true
  }
  return false
}

/** All of what is placed that a later service can still meet: what ends after the last start. */
function openState(search: Search, k: number, previous: number): string {
  let state = ''
  for (let j = 0; j < k; j++) {
    const { active, idle, after, span } = search.chosen[j]!
    const start = search.starts[j]!
    if (start + span > previous) state += `${start} ${active} ${idle} ${after} ${search.units[j]?.diary.id ?? ''}|`
  }
  return state
}

/** Starts inside the idle parts of what is placed, earliest first, none before the service before it in the order. */
function nestedStarts(search: Search, k: number, previous: number): readonly number[] {
  const starts: number[] = []
  for (let j = 0; j < k; j++) {
    const { active, idle } = search.chosen[j]!
    const from = search.starts[j]! + active
    for (let at = from; at < from + idle; at += WAIT_STEP_MINUTES) {
      if (at >= previous && !starts.includes(at)) starts.push(at)
    }
  }
  return starts.sort((a, b) => a - b)
}

function placeAt(search: Search, k: number, at: number, nested: boolean): boolean {
  const line = search.lines[k]!
  if (line.nobody !== undefined && isSet(line.nobody, at)) return false
  if (!startsEarlyEnough(search.free, line.rule, at)) return false
  const { candidates } = line
  let nests = true
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i]!
    if (nested && (i === 0 || !haveSameShape(candidate, candidates[i - 1]!))) nests = nestsAt(search, k, candidate, at)
    if (!nests) continue
    if (k === 0 && search.onGrid && !isSet(candidate.member.grid, at)) continue
    if (!fitsInSearch(search, candidate, at)) continue
    if (sameShapeFailed(search, k, candidates, i, at)) continue
    search.starts[k] = at
    search.chosen[k] = candidate
    if (placeUnit(search, k, line, at, at + candidate.span)) return true
  }
  if (search.lines.length > 1) line.nobody ??= nobodyFits(search.free, line)
  return false
}

/** Starts at which none of a line's members can perform it. */
function nobodyFits(free: FreeTime, { candidates }: Line): Bits {
  const nobody = newBits(free.length).fill(-1)
  for (const candidate of candidates) keepBits(nobody, (candidate.unfit ??= unfitStarts(free, candidate)))
  return nobody
}

/** Whether the last-start rule of a service holds at a row minute. */
export function startsEarlyEnough(free: FreeTime, rule: ServiceRule, at: number): boolean {
  if (rule.latestStart === undefined) return true
  return openingMinute(localMinuteAt(free.clock, free.origin + at), free.openings) <= rule.latestStart
}

/** What a start needs of a member: at work, free and buffered for each active part, with the whole span inside opening hours. */
export function needsOfMember(
  { closed }: FreeTime,
  rule: ServiceRule,
  { blocked, bufferedAgainst }: MemberTime,
  { active, after, span }: Pick<Candidate, 'active' | 'after' | 'span'>,
): readonly Need[] {
  const lastEnd = after > 0 ? span : active
  return [
    { row: blocked, from: 0, to: active },
    { row: blocked, from: lastEnd - after, to: lastEnd },
    { row: closed, from: 0, to: span },
    { row: bufferedAgainst, from: -rule.bufferBeforeMinutes, to: 0 },
    { row: bufferedAgainst, from: lastEnd, to: lastEnd + rule.bufferAfterMinutes },
  ].filter((need) => need.from < need.to)
}

/** Whether a member can perform a line at a row minute. */
export function memberFits({ needs }: Candidate, at: number): boolean {
  for (let n = 0; n < needs.length; n++) {
    const { row, from, to } = needs[n]!
    if (anySet(row, at + from, at + to)) return false
  }
  return true
}

/** The same for a search that comes back to the starts of its later lines; a single line meets each start once. */
function fitsInSearch({ free, lines }: Search, candidate: Candidate, at: number): boolean {
  return lines.length === 1 ? memberFits(candidate, at) : !isSet((candidate.unfit ??= unfitStarts(free, candidate)), at)
}

function unfitStarts(free: FreeTime, { needs }: Candidate): Bits {
  const unfit = newBits(free.length)
  for (const { row, from, to } of needs) {
    const limit = row.length << 5
    for (let taken = nextSet(row, 0, limit); taken < limit;) {
      const end = nextClear(row, taken, limit)
      setStretch(unfit, taken - to + 1, end - from)
      taken = nextSet(row, end, limit)
    }
  }
  return unfit
}

/** A member of equal parts that fitted here led nowhere before, so this one would not either: later services see only the times. */
function sameShapeFailed(search: Search, k: number, candidates: readonly Candidate[], i: number, at: number): boolean {
  const candidate = candidates[i]!
  for (let j = 0; j < i; j++) {
    const other = candidates[j]!
    if (!haveSameShape(candidate, other)) continue
    if (k === 0 && search.onGrid && !isSet(other.member.grid, at)) continue
    if (fitsInSearch(search, other, at)) return true
  }
  return false
}

function haveSameShape(one: Candidate, other: Candidate): boolean {
  return one.active === other.active && one.idle === other.idle && one.after === other.after
}

/** Whether the span lies in one idle part of what is placed and the client's hands are on in one place at a time. */
function nestsAt(search: Search, k: number, candidate: Candidate, at: number): boolean {
  const end = at + candidate.span
  let inside = false
  for (let j = 0; j < k; j++) {
    const placed = search.chosen[j]!
    const start = search.starts[j]!
    const idleFrom = start + placed.active
    const idleTo = idleFrom + placed.idle
    if (idleFrom <= at && end <= idleTo) inside = true
    if (activePartsMeet(start, placed, at, candidate)) return false
  }
  return inside
}

function activePartsMeet(start: number, placed: Candidate, at: number, candidate: Candidate): boolean {
  const placedAfter = start + placed.active + placed.idle
  const after = at + candidate.active + candidate.idle
  return (
    meet(start, placed.active, at, candidate.active) ||
    meet(start, placed.active, after, candidate.after) ||
    meet(placedAfter, placed.after, at, candidate.active) ||
    meet(placedAfter, placed.after, after, candidate.after)
  )
}

function meet(from: number, minutes: number, otherFrom: number, otherMinutes: number): boolean {
  return minutes > 0 && otherMinutes > 0 && from < otherFrom + otherMinutes && otherFrom < from + minutes
}

/** Gives the placed line a unit of its type, the one used before first, and goes on with the rest. */
function placeUnit(search: Search, k: number, line: Line, from: number, to: number): boolean {
  search.units[k] = undefined
  if (line.units === undefined) return placeRest(search, k + 1)
  const before = unitBefore(search, k, line)
  if (before !== undefined && unitFits(search, k, line, before, from, to)) {
    search.units[k] = before
    if (placeRest(search, k + 1)) return true
  }
  for (const unit of line.units) {
    if (unit === before || !unitFits(search, k, line, unit, from, to)) continue
    search.units[k] = unit
    if (placeRest(search, k + 1)) return true
  }
  return false
}

function unitBefore(search: Search, k: number, line: Line): ResourceTime | undefined {
  for (let j = k - 1; j >= 0; j--) if (search.lines[j]!.units === line.units) return search.units[j]
  return undefined
}

function unitFits(search: Search, k: number, line: Line, unit: ResourceTime, from: number, to: number): boolean {
  for (let j = 0; j < k; j++) {
    if (search.units[j] !== unit) continue
    const start = search.starts[j]!
    if (start < to && from < start + search.chosen[j]!.span) return false
  }
  return unitIsFree(unit, line.rule, from, to)
}

/** Whether a resource is open and free from…to and buffered against other visits. */
export function unitIsFree(unit: ResourceTime, rule: ServiceRule, from: number, to: number): boolean {
  if (anySet(unit.blocked, from, to)) return false
  if (rule.bufferBeforeMinutes > 0 && anySet(unit.busy, from - rule.bufferBeforeMinutes, from)) return false
  return rule.bufferAfterMinutes === 0 || !anySet(unit.busy, to, to + rule.bufferAfterMinutes)
}

/** Sorts everyone who may be chosen by booked minutes of the day from…to (row minutes), then order in the team, then id. */
export function preferLeastBooked(lines: readonly Line[], from: number, to: number): void {
  const booked = new Map<MemberTime, number>()
  for (const { candidates } of lines) {
    if (candidates.length < 2) continue
    for (const { member } of candidates) {
      if (!booked.has(member)) booked.set(member, countSet(member.busy, from, to))
    }
    candidates.sort((a, b) => {
      const { diary } = a.member
      const other = b.member.diary
      return booked.get(a.member)! - booked.get(b.member)! || diary.order - other.order || (diary.id < other.id ? -1 : 1)
    })
  }
}

/** Row minutes a placed line takes from its member, buffers included: first and last active part. */
export function takenFrom(search: Search, k: number): number {
  return search.starts[k]! - search.lines[k]!.rule.bufferBeforeMinutes
}

/** Where the buffered last active part of a placed line ends. */
export function takenTo(search: Search, k: number): number {
  const { active, after, span } = search.chosen[k]!
  return search.starts[k]! + (after > 0 ? span : active) + search.lines[k]!.rule.bufferAfterMinutes
}

/** Minutes the placed visit strands, over all its members; a member's parts of the visit count as one block. */
export function strandedMinutes(search: Search): number {
  let stranded = 0
  const count = search.lines.length
  for (let k = 0; k < count; k++) {
    const { member } = search.chosen[k]!
    let from = takenFrom(search, k)
    let to = takenTo(search, k)
    let counted = false
    for (let j = 0; j < count; j++) {
      if (j === k || search.chosen[j]!.member !== member) continue
      if (j < k) counted = true
      from = Math.min(from, takenFrom(search, j))
      to = Math.max(to, takenTo(search, j))
    }
    if (!counted) stranded += strandedAround(search.free, member, from, to)
  }
  return stranded
}
