// Six weeks of visits of one made-up institute: some houses are full for days, most have a few a week, some none at all.
import { dayNumber } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import type { MemberRow, MemberServiceRow, Random, WallRangeJson } from '#/features/demo/service.ts'
import { type WorkDay, type WorkDays, workDaysOf, type WorkStretch } from './days.ts'
import type { CrowdHouse, CrowdServiceRow } from './rows.ts'

export const daysBack = 14
export const daysAhead = 28

export interface Taken {
  subject: 'member' | 'resource'
  id: string
  /** Minutes since the epoch. */
  from: number
  to: number
}

export interface PlacedVisit {
  service: CrowdServiceRow
  own: MemberServiceRow
  member: MemberRow
  resourceId: string | null
  startsAt: number
  endsAt: number
  parts: { activeMinutes: number; idleMinutes: number; activeAfterMinutes: number }
  taken: Taken[]
  /** A full day stays full: nobody calls off. */
  mayBeCancelled: boolean
}

interface Diary {
  house: CrowdHouse
  days: WorkDays
  /** What each member performs and has a price, by place in the team. */
  performed: { own: MemberServiceRow; service: CrowdServiceRow }[][]
  taken: Map<string, { from: number; to: number }[]>
  visits: PlacedVisit[]
}

interface Try {
  position: number
  choice: { own: MemberServiceRow; service: CrowdServiceRow }
  day: WorkDay
  stretch: WorkStretch
  /** Wall minute. */
  start: number
}

const isTaken = (diary: Diary, id: string, from: number, to: number): boolean =>
  diary.taken.get(id)?.some((span) => span.from < to && from < span.to) ?? false

const isWithin = (ranges: readonly WallRangeJson[], from: number, to: number): boolean =>
  ranges.some((range) => range.opensAt <= from && to <= range.closesAt)

/** What one service takes of its member: the parts they work, with the buffers that touch them, in wall minutes. */
function workedParts(
  start: number,
  parts: PlacedVisit['parts'],
  service: CrowdServiceRow,
): { worked: [number, number]; taken: [number, number] }[] {
  const before = start - service.buffer_before_minutes
  const firstEnds = start + parts.activeMinutes
  const end = firstEnds + parts.idleMinutes + parts.activeAfterMinutes
  const after = end + service.buffer_after_minutes
  if (parts.idleMinutes === 0) return [{ worked: [start, end], taken: [before, after] }]
  const again = firstEnds + parts.idleMinutes
  return [
    { worked: [start, firstEnds], taken: [before, firstEnds] },
    { worked: [again, end], taken: [again, after] },
  ]
}

/** Writes a visit in if every rule of the diary allows it. */
function place(diary: Diary, { position, choice, day, stretch, start }: Try, mayBeCancelled: boolean): boolean {
  const { own, service } = choice
  const member = diary.house.members[position]
  if (!member || (service.latest_start !== null && start > service.latest_start)) return false
  const parts = {
    activeMinutes: own.active_minutes ?? service.active_minutes,
    idleMinutes: own.idle_minutes ?? service.idle_minutes,
    activeAfterMinutes: own.active_after_minutes ?? service.active_after_minutes,
  }
  const end = start + parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes
  if (!isWithin(day.open, start, end)) return false
  const worked = workedParts(start, parts, service)
  const { base } = day
  if (
    worked.some((part) => !isWithin(stretch.free, ...part.worked) || isTaken(diary, member.id, base + part.taken[0], base + part.taken[1]))
  )
    return false
  const taken: Taken[] = worked.map((part) => ({ subject: 'member', id: member.id, from: base + part.taken[0], to: base + part.taken[1] }))
  let resourceId: string | null = null
  if (service.resource_type !== null) {
    const from = base + start - service.buffer_before_minutes
    const to = base + end + service.buffer_after_minutes
    const free = diary.house.resources.find(({ type, id }) => type === service.resource_type && !isTaken(diary, id, from, to))
    if (!free) return false
    resourceId = free.id
    taken.push({ subject: 'resource', id: free.id, from, to })
  }
  for (const { id, from, to } of taken) {
    const spans = diary.taken.get(id)
    if (spans) spans.push({ from, to })
    else diary.taken.set(id, [{ from, to }])
  }
  diary.visits.push({ service, own, member, resourceId, startsAt: base + start, endsAt: base + end, parts, taken, mayBeCancelled })
  return true
}

/** Fills the working time of everybody on one day, visit after visit. */
function fillDay(diary: Diary, number: number, random: Random): void {
  const day = diary.days.day(number)
  if (!day) return
  const grid = diary.house.institute.grid_minutes
  for (let position = 0; position < diary.house.members.length; position++) {
    const performed = diary.performed[position] ?? []
    if (performed.length === 0) continue
    for (const stretch of diary.days.work(position, number)) {
      for (let start = stretch.gridFrom; start < stretch.closesAt; start += grid) {
        // A few breaths stay free, as in life.
        if (random.chance(0.04)) continue
        const from = random.between(0, performed.length - 1)
        for (let turn = 0; turn < performed.length; turn++) {
          const choice = performed[(from + turn) % performed.length]
          if (choice && place(diary, { position, choice, day, stretch, start }, false)) break
        }
      }
    }
  }
}

/** Tries to write in one visit somewhere in the six weeks, more likely soon. */
function addSomewhere(diary: Diary, today: number, random: Random): void {
  const offset = random.chance(0.35) ? -random.between(1, daysBack) : Math.floor((daysAhead + 1) * random.next() ** 1.7)
  const day = diary.days.day(today + offset)
  const position = random.between(0, diary.house.members.length - 1)
  const performed = diary.performed[position] ?? []
  if (!day || performed.length === 0) return
  const stretches = diary.days.work(position, today + offset)
  if (stretches.length === 0) return
  const stretch = random.pick(stretches)
  const grid = diary.house.institute.grid_minutes
  const steps = Math.floor((stretch.closesAt - stretch.gridFrom) / grid)
  const choice = random.pick(performed)
  for (let attempt = 0; attempt < 3; attempt++) {
    if (place(diary, { position, choice, day, stretch, start: stretch.gridFrom + grid * random.between(0, steps) }, true)) return
  }
}

/** How busy an institute is: for how many days it is full, and how many visits it has beside. */
function busyness(members: number, random: Random): { fullDays: number; visits: number } {
  const luck = random.next()
  if (luck < 0.14) return { fullDays: 0, visits: 0 }
  const visits = Math.round((4 + random.next() ** 2 * 58) * (0.5 + members * 0.27))
  return { fullDays: luck < 0.22 ? random.between(1, 4) : 0, visits }
}

/** The visits of one institute around `now` (milliseconds since the epoch), never two on one person or thing. */
export function inventVisits(house: CrowdHouse, now: number, random: Random): PlacedVisit[] {
  const services = new Map(house.services.map((service) => [service.id, service]))
  const tests = new Set(house.prerequisites.map((row) => row.required_service_id))
  const byMember = Map.groupBy(house.memberServices, ({ member_id: member }) => member)
  const diary: Diary = {
    house,
    days: workDaysOf(house),
    performed: house.members.map(({ id }) =>
      (byMember.get(id) ?? []).flatMap((own) => {
        const service = services.get(own.service_id)
        return service && service.price_kind !== 'on_request' && !tests.has(service.id) ? [{ own, service }] : []
      }),
    ),
    taken: new Map(),
    visits: [],
  }
  const today = dayNumber(dayOf(house.institute.time_zone, now / 60_000))
  const { fullDays, visits } = busyness(house.members.length, random)
  for (let day = 0; day < fullDays; day++) fillDay(diary, today + day, random)
  for (let wish = 0; wish < visits; wish++) addSomewhere(diary, today, random)
  return diary.visits
}
