/** The oracle's picture of an institute: which minutes are open, worked, busy and on the grid, each minute looked at by itself. */
import type {
  CartLine,
  ClientFacts,
  Day,
  DayRange,
  EpochMinute,
  InstituteDiary,
  MemberDiary,
  ShiftHours,
  Span,
  WallRange,
} from '#/model.ts'
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

type Minutes = ReadonlySet<EpochMinute>

/** One day of one institute, minute by minute. */
export interface World {
  readonly question: OracleQuestion
  readonly moments: readonly Moment[]
  readonly open: Minutes
  readonly works: ReadonlyMap<string, Minutes>
  readonly busy: ReadonlyMap<string, Minutes>
  /** When members are gone: the minutes of absences, and of the days and nights they take, in which no other day's shift runs. */
  readonly gone: ReadonlyMap<string, Minutes>
  readonly unitOpen: ReadonlyMap<string, Minutes>
  readonly ranked: readonly MemberDiary[]
}

/** Looks from two days before (whose nights reach the day before) to the day after (into which visits run). */
export function lookAt(question: OracleQuestion): World {
  const { diary, day } = question
  const moments = momentsOf(diary.timeZone, shiftDay(day, -2), shiftDay(day, 1))
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
      for (const minute of minutesOfShifts(member, moments, one)) works.get(member.id)?.add(minute)
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
  const gone = new Map(diary.members.map((member) => [member.id, goneMinutes(member, moments, days)]))
  return { question, moments, open, works, busy, gone, unitOpen, ranked: rankMembers(question, moments, busy) }
}

/** On a shift that begins on a day, its breaks left out. */
const minutesOfShifts = (member: MemberDiary, moments: readonly Moment[], day: Day): readonly EpochMinute[] => {
  const shifts = shiftsOf(member, day)
  const breaks = new Set(shifts.flatMap((shift) => shift.breaks.flatMap((pause) => minutesOf(moments, day, pause))))
  return shifts.flatMap((shift) => minutesOf(moments, day, shift)).filter((minute) => !breaks.has(minute))
}

function goneMinutes(member: MemberDiary, moments: readonly Moment[], days: readonly Day[]): Minutes {
  const gone = new Set(minutesOfParts(moments, days, member.absences))
  const isAway = (day: Day): boolean => isWholeDay(member.absences, day)
  const atWork = new Set(days.filter((day) => !isAway(day)).flatMap((day) => minutesOfShifts(member, moments, day)))
  const nights = new Set(days.filter(isAway).flatMap((day) => minutesOfShifts(member, moments, day)))
  for (const { at, day } of moments) if ((isAway(day) || nights.has(at)) && !atWork.has(at)) gone.add(at)
  return gone
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

/** Whether a minute lies in one of some closures or absences. */
export function isGone({ moments }: World, ranges: readonly DayRange[], at: EpochMinute): boolean {
  const { day } = moments[at - moments[0]!.at]!
  if (isWholeDay(ranges, day)) return true
  return minutesOfParts(moments, [shiftDay(day, -2), shiftDay(day, -1), day], ranges).has(at)
}

export function mayStart(world: World, moment: Moment): boolean {
  const place = world.moments.indexOf(moment)
  const threeHours = world.moments.slice(Math.max(place - 180, 0), place)
  return maySit(world, moment) && !threeHours.some((one) => one.day === moment.day && one.minute === moment.minute)
}

/** The same for a session, which may also be put where the clock shows a time for the second time. */
export function maySit({ question }: World, moment: Moment): boolean {
  const { diary, cart, now, client } = question
  const notices = cart.map(({ serviceId }) => diary.services.get(serviceId)?.noticeMinutes ?? diary.rules.noticeMinutes)
  const online = question.forInstitute !== true
  if (moment.at < now + (online ? Math.max(...notices) : 0)) return false
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(now * 60_000))
    .toZonedDateTimeISO(diary.timeZone)
    .toPlainDate()
  if (online && moment.day > today.add({ days: diary.rules.horizonDays }).toString()) return false
  return client === undefined || cart.every(({ serviceId }) => hasPrerequisites(diary, serviceId, client, moment))
}

function hasPrerequisites(diary: InstituteDiary, serviceId: string, client: ClientFacts, moment: Moment): boolean {
  return (diary.services.get(serviceId)?.prerequisites ?? []).every((one) => {
    if (one.kind === 'minimum_age') {
      if (client.birthday === undefined) return false
      const born = Temporal.PlainDate.from(client.birthday)
      return born.until(Temporal.PlainDate.from(moment.day), { largestUnit: 'years' }).years >= one.years
    }
    return client.visits.some((visit) => {
      const ends = Temporal.Instant.fromEpochMilliseconds(visit.endsAt * 60_000).toZonedDateTimeISO(diary.timeZone)
      const lastDay = ends.toPlainDate().add({ months: one.maxMonths }).toString()
      return visit.serviceId === one.serviceId && moment.at - visit.endsAt >= one.minHours * 60 && moment.day <= lastDay
    })
  })
}

export function openingMinuteOf({ question, moments }: World, at: EpochMinute): number {
  const { day, minute } = moments[at - moments[0]!.at]!
  const opens = (on: Day, wall: number): boolean =>
    !isWholeDay(question.diary.closures, on) &&
    question.diary.openingHours.some(
      (range) => range.weekday === Temporal.PlainDate.from(on).dayOfWeek && range.opensAt <= wall && wall < range.closesAt,
    )
  return !opens(day, minute) && opens(shiftDay(day, -1), minute + 1440) ? minute + 1440 : minute
}

export function isOnGrid(world: World, member: MemberDiary, moment: Moment): boolean {
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
