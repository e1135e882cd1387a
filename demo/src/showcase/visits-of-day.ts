// Fills one day of one institute with visits, member by member and forward in time, never two on one person or thing.
import {
  closedResources,
  type DayOfRota,
  freeRanges,
  isTaken,
  isWithin,
  minutesWith,
  openRanges,
  type Rotas,
  rotasOf,
  shiftsOn,
  take,
  type Taken,
  workedParts,
} from '#/diaries/working-time.ts'
import type { Random } from '#/random.ts'
import type { WallRange } from '#/rows/institute.ts'
import type { ServiceMinutes, ServiceRow } from '#/rows/menu.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import type { MemberRow, MemberServiceRow, Shift } from '#/rows/team.ts'

export interface PlacedSegment {
  service: ServiceRow
  member: MemberRow
  resourceId: string | null
  minutes: ServiceMinutes
  priceAmount: number | null
  /** Wall minutes of the day. */
  startsAt: number
  endsAt: number
}

export interface PlacedVisit {
  segments: PlacedSegment[]
  /** Stretches of wall minutes that the visit takes of members and resources. */
  taken: { subject: 'member' | 'resource'; id: string; from: number; to: number }[]
}

/** What an institute's diary says, looked up once. */
export interface DiaryIndex {
  institute: InstituteRows
  services: Map<string, ServiceRow>
  performed: Map<string, MemberServiceRow[]>
  rotas: Rotas
  /** Services that are only there to allow another. */
  tests: Set<string>
}

export function indexDiary(institute: InstituteRows): DiaryIndex {
  return {
    institute,
    services: new Map(institute.services.map((service) => [service.id, service])),
    performed: Map.groupBy(institute.memberServices, (row) => row.member_id),
    rotas: rotasOf(institute),
    tests: new Set(institute.prerequisites.map((row) => row.required_service_id)),
  }
}

export interface DayToFill extends DayOfRota {
  /** Share of the working time to fill, 0…1. */ fill: number
}

interface DayState {
  index: DiaryIndex
  fill: number
  open: WallRange[]
  taken: Taken
  closedResources: Set<string>
}

interface Attempt {
  member: MemberRow
  /** The shift without its breaks. */
  ranges: readonly WallRange[]
  own: MemberServiceRow
  startsAt: number
}

/** Tries one service of one member at one wall minute; null when any rule of the diary refuses it. */
function tryPlace(state: DayState, { member, ranges, own, startsAt }: Attempt): PlacedVisit | null {
  const service = state.index.services.get(own.service_id)
  if (!service || (service.latest_start !== null && startsAt > service.latest_start)) return null
  const minutes = minutesWith(service, own)
  const endsAt = startsAt + minutes.activeMinutes + minutes.idleMinutes + minutes.activeAfterMinutes
  if (!isWithin(state.open, { opensAt: startsAt, closesAt: endsAt })) return null
  const mine = workedParts(startsAt, minutes, service)
  if (mine.some(({ worked, taken }) => !isWithin(ranges, worked) || isTaken(state.taken, member.id, taken))) return null
  const span = { from: startsAt - service.buffer_before_minutes, to: endsAt + service.buffer_after_minutes }
  const resource = state.index.institute.resources.find(
    ({ id, type }) => type === service.resource_type && !state.closedResources.has(id) && !isTaken(state.taken, id, span),
  )
  if (!resource) return null
  return {
    segments: [
      { service, member, resourceId: resource.id, minutes, priceAmount: own.price_amount ?? service.price_amount, startsAt, endsAt },
    ],
    taken: [
      ...mine.map(({ taken }) => ({ subject: 'member' as const, id: member.id, ...taken })),
      { subject: 'resource' as const, id: resource.id, ...span },
    ],
  }
}

/** Priced services a member can be booked for, in an order of the moment; patch tests are seldom what a day is made of. */
function inAnyOrder(state: DayState, member: MemberRow, random: Random): MemberServiceRow[] {
  const priced = (state.index.performed.get(member.id) ?? []).filter((own) => {
    const service = state.index.services.get(own.service_id)
    return service?.price_kind !== 'on_request' && service?.capacity === null
  })
  return priced
    .map((own) => ({ own, order: random.next() + (state.index.tests.has(own.service_id) ? 0.7 : 0) }))
    .sort((a, b) => a.order - b.order)
    .map(({ own }) => own)
}

function fillMember(state: DayState, member: MemberRow, shift: Shift, random: Random, placed: PlacedVisit[]): void {
  const grid = state.index.institute.institute.grid_minutes
  const ranges = freeRanges(shift)
  let at = shift.opensAt
  while (at < shift.closesAt) {
    // Quiet stretches between visits: the emptier the day, the more of them.
    if (random.next() > state.fill) {
      at += grid * random.between(1, 4)
      continue
    }
    const startsAt = at
    const visit = inAnyOrder(state, member, random).reduce<PlacedVisit | null>(
      (found, own) => found ?? tryPlace(state, { member, ranges, own, startsAt }),
      null,
    )
    if (visit) {
      for (const { id, ...stretch } of visit.taken) take(state.taken, id, stretch)
      placed.push(visit)
    }
    // While a colour rests, hands are free: the next grid point may lie inside an idle part.
    at += grid
  }
}

/** When classes are given, one pattern after the other down the menu: weekdays from Monday, and the wall minutes that would suit, the best first. */
const classTimes = [
  { weekdays: [1, 3, 6], starts: [1080, 1020, 600, 660] },
  { weekdays: [2, 4, 5], starts: [740, 560, 1020, 960] },
] as const

/** The classes of a day: whoever can give one at a time that suits, turn by turn. */
function classesOfDay(state: DayState, shifts: ReadonlyMap<MemberRow, readonly Shift[]>, weekday: number): PlacedVisit[] {
  const groups = state.index.institute.services.filter(({ capacity }) => capacity !== null)
  return groups.flatMap((service, order) => {
    const { weekdays, starts } = classTimes[order % classTimes.length] ?? classTimes[0]
    if (!(weekdays as readonly number[]).includes(weekday)) return []
    const members = [...shifts.keys()]
    const turn = [...members.slice(weekday % members.length), ...members.slice(0, weekday % members.length)]
    for (const startsAt of starts)
      for (const member of turn) {
        const own = state.index.performed.get(member.id)?.find((row) => row.service_id === service.id)
        const ranges = (shifts.get(member) ?? []).flatMap((shift) => freeRanges(shift))
        const placed = own && tryPlace(state, { member, ranges, own, startsAt })
        if (!placed) continue
        for (const { id, ...stretch } of placed.taken) take(state.taken, id, stretch)
        return [placed]
      }
    return []
  })
}

export interface OneToPlace {
  serviceId: string
  /** What else takes the day. */
  taken: Taken
  /** Wall minute by which it is over. */
  until: number
}

/** One service somewhere on a day beside all else; null where there is no room for it. */
export function placeOne(index: DiaryIndex, day: DayOfRota, { serviceId, taken, until }: OneToPlace, random: Random): PlacedVisit | null {
  const { institute } = index
  const open = openRanges(institute, day.day, day.weekday)
  if (open.length === 0) return null
  const state: DayState = { index, fill: 0, open, taken, closedResources: closedResources(institute, day.day) }
  const attempts = institute.members.flatMap((member) => {
    const own = index.performed.get(member.id)?.find((row) => row.service_id === serviceId)
    if (!own) return []
    return shiftsOn(institute, index.rotas, member.id, day).flatMap((shift) => {
      const steps = Math.ceil((shift.closesAt - shift.opensAt) / institute.institute.grid_minutes)
      const starts = Array.from({ length: steps }, (_, step) => shift.opensAt + step * institute.institute.grid_minutes)
      return starts.map((startsAt) => ({ member, own, ranges: freeRanges(shift), startsAt }))
    })
  })
  const first = random.between(0, Math.max(0, attempts.length - 1))
  for (const attempt of [...attempts.slice(first), ...attempts.slice(0, first)]) {
    const placed = tryPlace(state, attempt)
    if (placed?.segments.every(({ endsAt }) => endsAt <= until)) return placed
  }
  return null
}

/** All classes and visits of one day; the same random source gives the same day. */
export function visitsOfDay(index: DiaryIndex, day: DayToFill, random: Random): { classes: PlacedVisit[]; visits: PlacedVisit[] } {
  const { institute } = index
  const open = openRanges(institute, day.day, day.weekday)
  if (open.length === 0) return { classes: [], visits: [] }
  const state: DayState = { index, fill: day.fill, open, taken: new Map(), closedResources: closedResources(institute, day.day) }
  const visits: PlacedVisit[] = []
  const shifts = new Map(institute.members.map((member) => [member, shiftsOn(institute, index.rotas, member.id, day)]))
  const classes = classesOfDay(state, shifts, day.weekday)
  for (const [member, ofDay] of shifts) for (const shift of ofDay) fillMember(state, member, shift, random, visits)
  return { classes, visits }
}
