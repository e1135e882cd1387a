// Six weeks of visits of one made-up institute: some are full for days, most have a few a week, some none at all.
import { dayNumber } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { isTaken, isWithin, minutesWith, type Stretch, take, type Taken, workedParts } from '#/diaries/working-time.ts'
import type { Random } from '#/random.ts'
import type { ServiceMinutes, ServiceRow } from '#/rows/menu.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import type { MemberRow, MemberServiceRow } from '#/rows/team.ts'
import { type WorkDay, type WorkDays, workDaysOf, type WorkStretch } from '#/diaries/work-days.ts'

const daysBack = 14
const daysAhead = 28

export interface PlacedVisit {
  service: ServiceRow
  own: MemberServiceRow
  member: MemberRow
  resourceId: string | null
  /** Minutes since the epoch, as all that follow. */
  startsAt: number
  endsAt: number
  minutes: ServiceMinutes
  taken: { subject: 'member' | 'resource'; id: string; from: number; to: number }[]
  /** A full day stays full: nobody calls off. */
  mayBeCancelled: boolean
}

interface Diary {
  institute: InstituteRows
  days: WorkDays
  /** What each member performs and has a price, by place in the team. */
  performed: { own: MemberServiceRow; service: ServiceRow }[][]
  taken: Taken
  visits: PlacedVisit[]
}

interface Attempt {
  position: number
  choice: { own: MemberServiceRow; service: ServiceRow }
  day: WorkDay
  stretch: WorkStretch
  /** Wall minute. */
  start: number
}

/** Writes a visit in if every rule of the diary allows it. */
function place(diary: Diary, { position, choice, day, stretch, start }: Attempt, mayBeCancelled: boolean): boolean {
  const { own, service } = choice
  const member = diary.institute.members[position]
  if (!member || (service.latest_start !== null && start > service.latest_start)) return false
  const minutes = minutesWith(service, own)
  const end = start + minutes.activeMinutes + minutes.idleMinutes + minutes.activeAfterMinutes
  if (!isWithin(day.open, { opensAt: start, closesAt: end })) return false
  const { base } = day
  const since = ({ from, to }: Stretch): Stretch => ({ from: base + from, to: base + to })
  const parts = workedParts(start, minutes, service)
  if (parts.some(({ worked, taken }) => !isWithin(stretch.free, worked) || isTaken(diary.taken, member.id, since(taken)))) return false
  const taken: PlacedVisit['taken'] = parts.map((part) => ({ subject: 'member', id: member.id, ...since(part.taken) }))
  let resourceId: string | null = null
  if (service.resource_type !== null) {
    const span = since({ from: start - service.buffer_before_minutes, to: end + service.buffer_after_minutes })
    const free = diary.institute.resources.find(({ type, id }) => type === service.resource_type && !isTaken(diary.taken, id, span))
    if (!free) return false
    resourceId = free.id
    taken.push({ subject: 'resource', id: free.id, ...span })
  }
  for (const { id, from, to } of taken) take(diary.taken, id, { from, to })
  diary.visits.push({ service, own, member, resourceId, startsAt: base + start, endsAt: base + end, minutes, taken, mayBeCancelled })
  return true
}

/** Fills the working time of everybody on one day, visit after visit. */
function fillDay(diary: Diary, number: number, random: Random): void {
  const day = diary.days.day(number)
  if (!day) return
  const grid = diary.institute.institute.grid_minutes
  for (let position = 0; position < diary.institute.members.length; position++) {
    const performed = diary.performed[position] ?? []
    if (performed.length === 0) continue
    for (const stretch of diary.days.work(position, number)) {
      for (let start = stretch.gridFrom; start < stretch.closesAt; start += grid) {
        // A few times stay free, as in life.
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
  const position = random.between(0, diary.institute.members.length - 1)
  const performed = diary.performed[position] ?? []
  if (!day || performed.length === 0) return
  const stretches = diary.days.work(position, today + offset)
  if (stretches.length === 0) return
  const stretch = random.pick(stretches)
  const grid = diary.institute.institute.grid_minutes
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
export function inventVisits(institute: InstituteRows, now: Instant, random: Random): PlacedVisit[] {
  const services = new Map(institute.services.map((service) => [service.id, service]))
  const tests = new Set(institute.prerequisites.map((row) => row.required_service_id))
  const byMember = Map.groupBy(institute.memberServices, ({ member_id: member }) => member)
  const diary: Diary = {
    institute,
    days: workDaysOf(institute),
    performed: institute.members.map(({ id }) =>
      (byMember.get(id) ?? []).flatMap((own) => {
        const service = services.get(own.service_id)
        return service && service.price_kind !== 'on_request' && !tests.has(service.id) ? [{ own, service }] : []
      }),
    ),
    taken: new Map(),
    visits: [],
  }
  const today = dayNumber(dayOf(institute.institute.time_zone, minuteOf(now)))
  const { fullDays, visits } = busyness(institute.members.length, random)
  for (let day = 0; day < fullDays; day++) fillDay(diary, today + day, random)
  for (let visit = 0; visit < visits; visit++) addSomewhere(diary, today, random)
  return diary.visits
}
