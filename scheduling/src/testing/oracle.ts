/**
 * The rules of time written down a second time, as plainly as possible: every minute is looked at by itself, every placement is tried.
 * It shares the model with the engine and nothing else.
 */
import type {
  CartLine,
  ClientFacts,
  Day,
  DayRange,
  EpochMinute,
  InstituteDiary,
  MemberDiary,
  Offer,
  ResourceDiary,
  ServiceParts,
  ServiceRule,
  ShiftHours,
  Span,
  VisitPlan,
  WallRange,
} from '#/model.ts'
import { joinTaken, permutationsOf } from './oracle-lists.ts'
import { momentsOf, shiftDay, type Moment } from './timeline.ts'

/** A question to the oracle: all starts of one day. */
export interface OracleQuestion {
  readonly diary: InstituteDiary
  readonly cart: readonly CartLine[]
  readonly day: Day
  readonly now: EpochMinute
  readonly client?: ClientFacts | undefined
  readonly forInstitute?: boolean | undefined
}

interface Placed {
  readonly line: number
  readonly rule: ServiceRule
  readonly member: MemberDiary
  readonly parts: ServiceParts
  readonly at: EpochMinute
  readonly end: EpochMinute
  readonly unit: ResourceDiary | undefined
}

type Minutes = ReadonlySet<EpochMinute>

/** One day of one institute, minute by minute. */
interface World {
  readonly question: OracleQuestion
  readonly moments: readonly Moment[]
  readonly open: Minutes
  readonly works: ReadonlyMap<string, Minutes>
  readonly busy: ReadonlyMap<string, Minutes>
  readonly unitOpen: ReadonlyMap<string, Minutes>
  readonly ranked: readonly MemberDiary[]
}

/** The plans of every start the institute offers on a day, by start, in order of time. */
export function plansOfDay(question: OracleQuestion): ReadonlyMap<EpochMinute, VisitPlan> {
  const world = lookAt(question)
  const { diary, day } = question
  const plans = new Map<EpochMinute, VisitPlan>()
  for (const moment of world.moments) {
    if (moment.day !== day || !diary.members.some((member) => isOnGrid(world, member, moment))) continue
    if (!mayStart(world, moment)) continue
    const plan = planAt(world, moment)
    if (plan !== undefined) plans.set(moment.at, plan)
  }
  if (diary.rules.gaps !== 'hide' || question.forInstitute === true) return plans
  const clean = [...plans].filter(([, plan]) => plan.strandedMinutes === 0)
  return clean.length > 0 ? new Map(clean) : plans
}

/** What the engine should offer on a day. */
export function offersOf(plans: ReadonlyMap<EpochMinute, VisitPlan>): readonly Offer[] {
  return [...plans.values()].map(({ startsAt, endsAt, strandedMinutes }) => ({ startsAt, endsAt, strandedMinutes }))
}

function lookAt(question: OracleQuestion): World {
  const { diary, day } = question
  const moments = momentsOf(diary.timeZone, shiftDay(day, -2), shiftDay(day, 3))
  const days = [...new Set(moments.map((moment) => moment.day))]
  const closedParts = minutesOfParts(moments, days, diary.closures)
  const isShut = (one: Day): boolean => isWholeDay(diary.closures, one)
  const open = new Set<EpochMinute>()
  const works = new Map<string, Set<EpochMinute>>(diary.members.map(({ id }) => [id, new Set()]))
  for (const one of days) {
    if (isShut(one)) continue
    const weekday = Temporal.PlainDate.from(one).dayOfWeek
    for (const range of diary.openingHours) {
      if (range.weekday === weekday) for (const at of minutesOf(moments, one, range)) open.add(at)
    }
    for (const member of diary.members) {
      if (isWholeDay(member.absences, one)) continue
      const shifts = shiftsOf(member, one)
      const breaks = new Set(shifts.flatMap((shift) => shift.breaks.flatMap((pause) => minutesOf(moments, one, pause))))
      const at = shifts.flatMap((shift) => minutesOf(moments, one, shift)).filter((minute) => !breaks.has(minute))
      for (const minute of at) works.get(member.id)?.add(minute)
    }
  }
  for (const at of closedParts) open.delete(at)
  for (const member of diary.members) {
    for (const at of closedParts) works.get(member.id)?.delete(at)
    for (const at of minutesOfParts(moments, days, member.absences)) works.get(member.id)?.delete(at)
  }
  const busy = new Map([...diary.members, ...diary.resources].map(({ id, busy: spans }) => [id, minutesOfSpans(spans)]))
  const unitOpen = new Map(
    diary.resources.map((unit) => {
      const shut = minutesOfParts(moments, days, unit.closures)
      const at = moments.filter((one) => !shut.has(one.at) && !isWholeDay(unit.closures, one.day)).map((one) => one.at)
      return [unit.id, new Set(at)]
    }),
  )
  return { question, moments, open, works, busy, unitOpen, ranked: rankMembers(question, moments, busy) }
}

function rankMembers(
  { diary, day }: OracleQuestion,
  moments: readonly Moment[],
  busy: ReadonlyMap<string, Minutes>,
): readonly MemberDiary[] {
  const ofDay = moments.filter((moment) => moment.day === day)
  const booked = (member: MemberDiary): number => ofDay.filter(({ at }) => busy.get(member.id)?.has(at)).length
  return diary.members
    .map((member) => ({ member, booked: booked(member) }))
    .sort((a, b) => a.booked - b.booked || a.member.order - b.member.order || (a.member.id < b.member.id ? -1 : 1))
    .map(({ member }) => member)
}

const reached = new WeakMap<readonly Moment[], Map<string, EpochMinute>>()

/** The first instant at which the clock shows that minute of that day or anything later. */
function firstReaching(moments: readonly Moment[], day: Day, minute: number): EpochMinute {
  const read = reached.get(moments) ?? new Map<string, EpochMinute>()
  reached.set(moments, read)
  const key = `${day} ${String(minute)}`
  const at = read.get(key) ?? findReaching(moments, day, minute)
  read.set(key, at)
  return at
}

function findReaching(moments: readonly Moment[], day: Day, minute: number): EpochMinute {
  const target =
    minute < 1440
      ? { day, minute }
      : minute < 2880
        ? { day: shiftDay(day, 1), minute: minute - 1440 }
        : { day: shiftDay(day, 2), minute: 0 }
  const found = moments.find((one) => one.day > target.day || (one.day === target.day && one.minute >= target.minute))
  return found?.at ?? Infinity
}

function minutesOf(moments: readonly Moment[], day: Day, range: WallRange): readonly EpochMinute[] {
  const from = firstReaching(moments, day, range.opensAt)
  const to = firstReaching(moments, day, range.closesAt)
  const minutes: EpochMinute[] = []
  for (let at = from; at < to && at <= moments.at(-1)!.at; at++) minutes.push(at)
  return minutes
}

function minutesOfParts(moments: readonly Moment[], days: readonly Day[], ranges: readonly DayRange[]): Minutes {
  const minutes = new Set<EpochMinute>()
  for (const { fromDay, toDay, part } of ranges) {
    if (part === undefined) continue
    for (const day of days) {
      if (day >= fromDay && day <= toDay) for (const at of minutesOf(moments, day, part)) minutes.add(at)
    }
  }
  return minutes
}

function minutesOfSpans(spans: readonly Span[]): Minutes {
  const minutes = new Set<EpochMinute>()
  for (const { from, to } of spans) for (let at = from; at < to; at++) minutes.add(at)
  return minutes
}

function isWholeDay(ranges: readonly DayRange[], day: Day): boolean {
  return ranges.some((range) => range.part === undefined && range.fromDay <= day && day <= range.toDay)
}

const shiftsRead = new WeakMap<MemberDiary, Map<Day, readonly ShiftHours[]>>()

function shiftsOf(member: MemberDiary, day: Day): readonly ShiftHours[] {
  const read = shiftsRead.get(member) ?? new Map<Day, readonly ShiftHours[]>()
  shiftsRead.set(member, read)
  const shifts = read.get(day) ?? findShifts(member, day)
  read.set(day, shifts)
  return shifts
}

function findShifts(member: MemberDiary, day: Day): readonly ShiftHours[] {
  const override = [...member.overrides].reverse().find((one) => one.day === day)
  if (override !== undefined) return override.shifts
  const valid = member.rotas
    .filter(({ validFrom, validTo }) => (validFrom ?? '0000') <= day && day <= (validTo ?? '9999'))
    .toSorted((a, b) => Date.parse(a.validFrom ?? '1000-01-01') - Date.parse(b.validFrom ?? '1000-01-01'))
  const rota = valid.at(-1)
  if (rota === undefined) return []
  const date = Temporal.PlainDate.from(day)
  const anchor = Temporal.PlainDate.from(rota.anchorDay)
  const monday = anchor.subtract({ days: anchor.dayOfWeek - 1 })
  let week = 0
  let cursor = monday
  for (; Temporal.PlainDate.compare(cursor.add({ days: 7 }), date) <= 0; cursor = cursor.add({ days: 7 })) week++
  for (; Temporal.PlainDate.compare(cursor, date) > 0; cursor = cursor.subtract({ days: 7 })) week--
  const turn = week - Math.floor(week / rota.weeks) * rota.weeks
  return rota.shifts.filter((shift) => shift.week === turn + 1 && shift.weekday === date.dayOfWeek)
}

function mayStart({ question, moments }: World, moment: Moment): boolean {
  const { diary, cart, now, client } = question
  const notices = cart.map(({ serviceId }) => diary.services.get(serviceId)?.noticeMinutes ?? diary.rules.noticeMinutes)
  const online = question.forInstitute !== true
  if (moment.at < now + (online ? Math.max(...notices) : 0)) return false
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(now * 60_000))
    .toZonedDateTimeISO(diary.timeZone)
    .toPlainDate()
  if (online && moment.day > today.add({ days: diary.rules.horizonDays }).toString()) return false
  if (moments.find((one) => one.day === moment.day && one.minute === moment.minute) !== moment) return false
  return client === undefined || cart.every(({ serviceId }) => hasPrerequisites(diary, serviceId, client, moment))
}

function hasPrerequisites(diary: InstituteDiary, serviceId: string, client: ClientFacts, moment: Moment): boolean {
  return (diary.services.get(serviceId)?.prerequisites ?? []).every((one) => {
    if (one.kind === 'minimum_age') {
      if (client.birthday === undefined) return false
      const born = Temporal.PlainDate.from(client.birthday)
      return born.until(Temporal.PlainDate.from(moment.day), { largestUnit: 'years' }).years >= one.years
    }
    return client.pastVisits.some((visit) => {
      const ended = Temporal.Instant.fromEpochMilliseconds(visit.endedAt * 60_000).toZonedDateTimeISO(diary.timeZone)
      const lastDay = ended.toPlainDate().add({ months: one.maxMonths }).toString()
      return visit.serviceId === one.serviceId && moment.at - visit.endedAt >= one.minHours * 60 && moment.day <= lastDay
    })
  })
}

function planAt(world: World, moment: Moment): VisitPlan | undefined {
  const { diary, cart } = world.question
  const places = cart.map((_, place) => place)
  const orders = diary.rules.serviceOrder === 'best' && cart.length <= 5 ? permutationsOf(places) : [places]
  let best: readonly Placed[] | undefined
  for (const order of orders) {
    const placed = placeRest(world, moment, order, [])
    if (placed === undefined) continue
    if (best === undefined || endOf(placed) < endOf(best)) best = placed
  }
  return best === undefined ? undefined : planOf(world, moment, best)
}

function endOf(placed: readonly Placed[]): EpochMinute {
  return Math.max(...placed.map(({ end }) => end))
}

function placeRest(world: World, moment: Moment, order: readonly number[], placed: readonly Placed[]): readonly Placed[] | undefined {
  const { diary, cart, forInstitute } = world.question
  const line = order[placed.length]
  if (line === undefined) return placed
  const { serviceId, memberId } = cart[line]!
  const rule = diary.services.get(serviceId)!
  for (const at of startsAfter(world, moment, placed)) {
    for (const member of world.ranked) {
      const performs = member.performs.get(serviceId)
      if (performs === undefined || (memberId !== undefined && memberId !== member.id)) continue
      if (!member.bookableOnline && forInstitute !== true) continue
      const parts = performs.parts ?? rule.parts
      const end = at + parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes
      const segment = { line, rule, member, parts, at, end, unit: undefined }
      if (placed.length === 0 && !isOnGrid(world, member, moment)) continue
      if (!fits(world, segment, placed)) continue
      for (const unit of unitsFor(world, segment, placed)) {
        const whole = placeRest(world, moment, order, [...placed, { ...segment, unit }])
        if (whole !== undefined) return whole
      }
    }
  }
  return undefined
}

function startsAfter({ question }: World, moment: Moment, placed: readonly Placed[]): readonly EpochMinute[] {
  const previous = placed.at(-1)
  if (previous === undefined) return [moment.at]
  const nested = new Set<EpochMinute>()
  for (const { at, parts } of placed) {
    const from = at + parts.activeMinutes
    for (let start = from; start < from + parts.idleMinutes; start += 5) if (start >= previous.at) nested.add(start)
  }
  const waits: EpochMinute[] = []
  for (let wait = 0; wait <= question.diary.rules.maxWaitMinutes; wait += 5) waits.push(endOf(placed) + wait)
  return [...[...nested].sort((a, b) => a - b), ...waits]
}

function everyMinute(from: EpochMinute, to: EpochMinute, holds: (at: EpochMinute) => boolean): boolean {
  for (let at = from; at < to; at++) if (!holds(at)) return false
  return true
}

function activeParts({ at, end, parts }: Placed): readonly Span[] {
  const first = { from: at, to: at + parts.activeMinutes }
  return parts.activeAfterMinutes > 0 ? [first, { from: end - parts.activeAfterMinutes, to: end }] : [first]
}

function fits(world: World, segment: Placed, placed: readonly Placed[]): boolean {
  const { rule, member, at, end } = segment
  const works = world.works.get(member.id)!
  const busy = world.busy.get(member.id)!
  const active = activeParts(segment)
  if (rule.latestStart !== undefined && openingMinuteOf(world, at) > rule.latestStart) return false
  if (!everyMinute(at, end, (minute) => world.open.has(minute))) return false
  for (const part of active) {
    if (!everyMinute(part.from, part.to, (minute) => works.has(minute) && !busy.has(minute))) return false
    for (const other of placed.flatMap(activeParts)) if (part.from < other.to && other.from < part.to) return false
  }
  const lastEnd = active.at(-1)!.to
  if (!everyMinute(at - rule.bufferBeforeMinutes, at, (minute) => !busy.has(minute))) return false
  if (!everyMinute(lastEnd, lastEnd + rule.bufferAfterMinutes, (minute) => !busy.has(minute))) return false
  if (placed.length === 0 || at >= endOf(placed)) return true
  return placed.some((one) => {
    const from = one.at + one.parts.activeMinutes
    return from <= at && end <= from + one.parts.idleMinutes
  })
}

function openingMinuteOf({ question, moments }: World, at: EpochMinute): number {
  const { day, minute } = moments[at - moments[0]!.at]!
  const opens = (on: Day, wall: number): boolean =>
    !isWholeDay(question.diary.closures, on) &&
    question.diary.openingHours.some(
      (range) => range.weekday === Temporal.PlainDate.from(on).dayOfWeek && range.opensAt <= wall && wall < range.closesAt,
    )
  return !opens(day, minute) && opens(shiftDay(day, -1), minute + 1440) ? minute + 1440 : minute
}

function unitsFor(world: World, segment: Placed, placed: readonly Placed[]): readonly (ResourceDiary | undefined)[] {
  const { rule, at, end } = segment
  if (rule.resourceType === undefined) return [undefined]
  const before = placed.filter((one) => one.rule.resourceType === rule.resourceType).at(-1)?.unit
  return world.question.diary.resources
    .filter((unit) => unit.type === rule.resourceType)
    .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
    .toSorted((a, b) => Number(b === before) - Number(a === before))
    .filter((unit) => {
      const busy = world.busy.get(unit.id)!
      const buffered = everyMinute(at - rule.bufferBeforeMinutes, end + rule.bufferAfterMinutes, (minute) => !busy.has(minute))
      const open = everyMinute(at, end, (minute) => world.unitOpen.get(unit.id)!.has(minute))
      return buffered && open && !placed.some((one) => one.unit === unit && one.at < end && at < one.end)
    })
}

function isOnGrid(world: World, member: MemberDiary, moment: Moment): boolean {
  const { diary } = world.question
  return [0, 1].some((back) => {
    const day = shiftDay(moment.day, -back)
    const minute = moment.minute + back * 1440
    if (isWholeDay(diary.closures, day) || isWholeDay(member.absences, day)) return false
    const shifts = shiftsOf(member, day)
    const covered = (wall: number): boolean => shifts.some((one) => one.opensAt <= wall && wall < one.closesAt)
    if (!covered(minute)) return false
    let opened = minute
    while (covered(opened - 1)) opened--
    return (minute - opened) % diary.rules.gridMinutes === 0
  })
}

function planOf(world: World, moment: Moment, placed: readonly Placed[]): VisitPlan {
  const taken = placed.flatMap((one) => {
    const active = activeParts(one)
    const { bufferBeforeMinutes: before, bufferAfterMinutes: after } = one.rule
    const own = active.map((part, i) => ({
      subject: 'member' as const,
      id: one.member.id,
      from: part.from - (i === 0 ? before : 0),
      to: part.to + (i === active.length - 1 ? after : 0),
    }))
    if (one.unit === undefined) return own
    return [...own, { subject: 'resource' as const, id: one.unit.id, from: one.at - before, to: one.end + after }]
  })
  const members = [...new Set(placed.map(({ member }) => member))]
  const stranded = members.map((member) => {
    const own = taken.filter(({ subject, id }) => subject === 'member' && id === member.id)
    return strandedOf(world, member, Math.min(...own.map(({ from }) => from)), Math.max(...own.map(({ to }) => to)))
  })
  return {
    startsAt: moment.at,
    endsAt: endOf(placed),
    segments: placed.map(({ line, rule, member, at, end, parts, unit }) => ({
      line,
      serviceId: rule.id,
      memberId: member.id,
      startsAt: at,
      endsAt: end,
      parts,
      ...(unit === undefined ? {} : { resourceId: unit.id }),
    })),
    occupations: joinTaken(taken),
    strandedMinutes: world.question.diary.rules.gaps === 'off' ? 0 : stranded.reduce((sum, one) => sum + one, 0),
  }
}

function strandedOf(world: World, member: MemberDiary, from: EpochMinute, to: EpochMinute): number {
  const { services } = world.question.diary
  const spans = [...member.performs].flatMap(([id, { parts: own }]) => {
    const rule = services.get(id)
    if (rule === undefined) return []
    const { activeMinutes, idleMinutes, activeAfterMinutes } = own ?? rule.parts
    return [rule.bufferBeforeMinutes + activeMinutes + idleMinutes + activeAfterMinutes + rule.bufferAfterMinutes]
  })
  const sellable = (at: EpochMinute): boolean =>
    world.works.get(member.id)!.has(at) && world.open.has(at) && !world.busy.get(member.id)!.has(at)
  let before = 0
  while (sellable(from - before - 1)) before++
  let after = 0
  while (sellable(to + after)) after++
  const shortest = Math.min(...spans)
  return (before < shortest ? before : 0) + (after < shortest ? after : 0)
}
