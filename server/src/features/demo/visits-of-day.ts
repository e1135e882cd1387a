// Fills one day of one institute with visits, member by member and forward in time, never two on one person or thing.
import type { Random } from './random.ts'
import type { DemoInstitute, MemberRow, MemberServiceRow, OpeningRow, RotaShiftRow, ServiceRow, WallRangeJson } from './rows.ts'

export interface PlacedSegment {
  service: ServiceRow
  member: MemberRow
  resourceId: string | null
  parts: { activeMinutes: number; idleMinutes: number; activeAfterMinutes: number }
  priceAmount: number | null
  /** Wall minutes of the day. */
  startsAt: number
  endsAt: number
}

/** Stretches of wall minutes that a visit takes of one member or resource. */
export interface Taken {
  subject: 'member' | 'resource'
  id: string
  from: number
  to: number
}

export interface PlacedVisit {
  segments: PlacedSegment[]
  taken: Taken[]
}

/** What an institute's diary says, looked up once. */
export interface DiaryIndex {
  demo: DemoInstitute
  services: Map<string, ServiceRow>
  performed: Map<string, MemberServiceRow[]>
  shifts: Map<string, { weeks: number; shifts: RotaShiftRow[] }>
  /** Services that are only there to allow another. */
  tests: Set<string>
}

export function indexDiary(demo: DemoInstitute): DiaryIndex {
  const shifts = new Map(
    demo.rotas.map((rota) => [rota.member_id, { weeks: rota.weeks, shifts: demo.shifts.filter((shift) => shift.rota_id === rota.id) }]),
  )
  const performed = new Map<string, MemberServiceRow[]>()
  for (const row of demo.memberServices) performed.set(row.member_id, [...(performed.get(row.member_id) ?? []), row])
  return {
    demo,
    services: new Map(demo.services.map((service) => [service.id, service])),
    performed,
    shifts,
    tests: new Set(demo.prerequisites.map((row) => row.required_service_id)),
  }
}

interface Shift {
  opensAt: number
  closesAt: number
  breaks: readonly WallRangeJson[]
}

const dayIn = (day: string, row: { from_day: string; to_day: string }): boolean => row.from_day <= day && day <= row.to_day

function cutOut(stretches: WallRangeJson[], hole: WallRangeJson): WallRangeJson[] {
  return stretches.flatMap(({ opensAt, closesAt }) =>
    [
      { opensAt, closesAt: Math.min(closesAt, hole.opensAt) },
      { opensAt: Math.max(opensAt, hole.closesAt), closesAt },
    ].filter((left) => left.closesAt > left.opensAt),
  )
}

/** Opening ranges of a day after closures; empty when closed. */
export function openRanges(demo: DemoInstitute, day: string, weekday: number): WallRangeJson[] {
  let ranges: WallRangeJson[] = demo.openingHours
    .filter((row: OpeningRow) => row.weekday === weekday)
    .map((row) => ({ opensAt: row.opens_at, closesAt: row.closes_at }))
  for (const closure of demo.closures.filter((row) => dayIn(day, row))) {
    ranges =
      closure.opens_at === null || closure.closes_at === null
        ? []
        : cutOut(ranges, { opensAt: closure.opens_at, closesAt: closure.closes_at })
  }
  return ranges
}

/** The shifts a member works on a day: leave wins, then the single day, then the rota. */
export function shiftsOf(index: DiaryIndex, member: MemberRow, day: string, weekday: number, weeksSinceAnchor: number): Shift[] {
  if (index.demo.absences.some((row) => row.member_id === member.id && dayIn(day, row))) return []
  const override = index.demo.overrides.find((row) => row.member_id === member.id && row.day === day)
  if (override) return override.shifts
  const rota = index.shifts.get(member.id)
  if (!rota) return []
  const week = (((weeksSinceAnchor % rota.weeks) + rota.weeks) % rota.weeks) + 1
  return rota.shifts
    .filter((shift) => shift.week === week && shift.weekday === weekday)
    .map((shift) => ({ opensAt: shift.opens_at, closesAt: shift.closes_at, breaks: shift.breaks }))
}

export interface DayQuestion {
  day: string
  weekday: number
  weeksSinceAnchor: number
  /** Share of the working time to fill, 0…1. */ fill: number
}

interface DayState {
  index: DiaryIndex
  question: DayQuestion
  open: WallRangeJson[]
  taken: Map<string, { from: number; to: number }[]>
  closedResources: Set<string>
}

const overlaps = (taken: { from: number; to: number }[] | undefined, from: number, to: number): boolean =>
  taken?.some((span) => span.from < to && from < span.to) ?? false

function partsOf(service: ServiceRow, own: MemberServiceRow): PlacedSegment['parts'] {
  return {
    activeMinutes: own.active_minutes ?? service.active_minutes,
    idleMinutes: own.idle_minutes ?? service.idle_minutes,
    activeAfterMinutes: own.active_after_minutes ?? service.active_after_minutes,
  }
}

/** The member's own occupied stretches of a segment, each with the buffers that touch it. */
function memberStretches(
  startsAt: number,
  parts: PlacedSegment['parts'],
  service: ServiceRow,
): { active: WallRangeJson; taken: { from: number; to: number } }[] {
  const from = startsAt - service.buffer_before_minutes
  const firstEnd = startsAt + parts.activeMinutes
  const end = firstEnd + parts.idleMinutes + parts.activeAfterMinutes
  if (parts.idleMinutes === 0)
    return [{ active: { opensAt: startsAt, closesAt: end }, taken: { from, to: end + service.buffer_after_minutes } }]
  return [
    { active: { opensAt: startsAt, closesAt: firstEnd }, taken: { from, to: firstEnd } },
    {
      active: { opensAt: firstEnd + parts.idleMinutes, closesAt: end },
      taken: { from: firstEnd + parts.idleMinutes, to: end + service.buffer_after_minutes },
    },
  ]
}

/** Tries one service of one member at one wall minute; null when any rule of the diary refuses it. */
function tryPlace(
  state: DayState,
  member: MemberRow,
  stretches: readonly WallRangeJson[],
  own: MemberServiceRow,
  startsAt: number,
): PlacedVisit | null {
  const service = state.index.services.get(own.service_id)
  if (!service || (service.latest_start !== null && startsAt > service.latest_start)) return null
  const parts = partsOf(service, own)
  const endsAt = startsAt + parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes
  if (!state.open.some((range) => range.opensAt <= startsAt && endsAt <= range.closesAt)) return null
  const mine = memberStretches(startsAt, parts, service)
  for (const { active, taken } of mine) {
    if (!stretches.some((stretch) => stretch.opensAt <= active.opensAt && active.closesAt <= stretch.closesAt)) return null
    if (overlaps(state.taken.get(member.id), taken.from, taken.to)) return null
  }
  const span = { from: startsAt - service.buffer_before_minutes, to: endsAt + service.buffer_after_minutes }
  const resource = state.index.demo.resources.find(
    (one) =>
      one.type === service.resource_type && !state.closedResources.has(one.id) && !overlaps(state.taken.get(one.id), span.from, span.to),
  )
  if (!resource) return null
  return {
    segments: [
      { service, member, resourceId: resource.id, parts, priceAmount: own.price_amount ?? service.price_amount, startsAt, endsAt },
    ],
    taken: [
      ...mine.map(({ taken }) => ({ subject: 'member' as const, id: member.id, ...taken })),
      { subject: 'resource' as const, id: resource.id, ...span },
    ],
  }
}

function take(state: DayState, visit: PlacedVisit): void {
  for (const { id, from, to } of visit.taken) {
    const list = state.taken.get(id)
    if (list) list.push({ from, to })
    else state.taken.set(id, [{ from, to }])
  }
}

/** Priced services a member can be booked for, in an order of the moment; patch tests are seldom what a day is made of. */
function wishes(state: DayState, member: MemberRow, random: Random): MemberServiceRow[] {
  const priced = (state.index.performed.get(member.id) ?? []).filter(
    (own) => state.index.services.get(own.service_id)?.price_kind !== 'on_request',
  )
  return priced
    .map((own) => ({ own, order: random.next() + (state.index.tests.has(own.service_id) ? 0.7 : 0) }))
    .sort((a, b) => a.order - b.order)
    .map(({ own }) => own)
}

function fillMember(state: DayState, member: MemberRow, shift: Shift, random: Random, placed: PlacedVisit[]): void {
  const grid = state.index.demo.institute.grid_minutes
  const stretches = shift.breaks.reduce((left, pause) => cutOut(left, pause), [{ opensAt: shift.opensAt, closesAt: shift.closesAt }])
  let at = shift.opensAt
  while (at < shift.closesAt) {
    // Quiet stretches between visits: the emptier the day, the more of them.
    if (random.next() > state.question.fill) {
      at += grid * random.between(1, 4)
      continue
    }
    const here = at
    const visit = wishes(state, member, random).reduce<PlacedVisit | null>(
      (found, own) => found ?? tryPlace(state, member, stretches, own, here),
      null,
    )
    if (visit) {
      take(state, visit)
      placed.push(visit)
    }
    // While a colour rests, hands are free: the next grid point may lie inside an idle part.
    at += grid
  }
}

/** All visits of one day; the same random source gives the same day. */
export function visitsOfDay(index: DiaryIndex, question: DayQuestion, random: Random): PlacedVisit[] {
  const open = openRanges(index.demo, question.day, question.weekday)
  if (open.length === 0) return []
  const closedResources = new Set(index.demo.resourceClosures.filter((row) => dayIn(question.day, row)).map((row) => row.resource_id))
  const state: DayState = { index, question, open, taken: new Map(), closedResources }
  const placed: PlacedVisit[] = []
  for (const member of index.demo.members) {
    for (const shift of shiftsOf(index, member, question.day, question.weekday, question.weeksSinceAnchor))
      fillMember(state, member, shift, random, placed)
  }
  return placed
}
