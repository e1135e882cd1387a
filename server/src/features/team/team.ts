/** The team as its institute reads it: who works when, who is away, and how full this week is. */
import type { ShiftInput, Team, TeamAbsence, TeamMember } from '@soigne/contract/team'
import { dayMs, type Instant, minuteOf, minutesOfDay } from '@soigne/contract/time'
import { type Locale, type Weekday, weekdays } from '@soigne/contract/wire'
import { addDays, dayNumber, dayOfNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { workingSpans } from '@soigne/scheduling/free-spans'
import type { Rota, ShiftHours, WallRange } from '@soigne/scheduling/model'
import { dayOf, spanOfDay, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { shiftsOn } from '@soigne/scheduling/working-time'
import { minuteOfText, minuteText } from '#/platform/instants.ts'
import { loadDiary, type LoadedInstitute, type MemberShifts, shiftsOf } from '#/features/availability/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { busyTimes, listTeam, type TeamRow, visitsAround } from './team-store.ts'

/** Days that are shown as they fall, from Monday of this week. */
const shownDays = 28

const clock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** Minutes from midnight as wall times; what ends at the next midnight ends at 24:00. */
export const wallRange = ({ opensAt, closesAt }: WallRange): { opensAt: string; closesAt: string } => ({
  opensAt: clock(opensAt % minutesOfDay),
  closesAt: clock(closesAt === minutesOfDay ? minutesOfDay : closesAt % minutesOfDay),
})
const wallShift = (shift: ShiftHours): ShiftInput => ({ ...wallRange(shift), breaks: shift.breaks.map(wallRange) })

const weekOf = (rota: Rota, week: number): Record<Weekday, ShiftInput[]> =>
  Object.fromEntries(
    weekdays.map((weekday, index) => [
      weekday,
      rota.shifts.filter((shift) => shift.week === week && shift.weekday === index + 1).map(wallShift),
    ]),
  ) as Record<Weekday, ShiftInput[]>

const rotasOf = ({ rotas }: MemberShifts, today: string): TeamMember['rotas'] =>
  rotas
    .filter(({ validTo }) => validTo === undefined || validTo >= today)
    .map((rota) => ({
      anchorDay: rota.anchorDay,
      fromDay: rota.validFrom ?? null,
      toDay: rota.validTo ?? null,
      weeks: Array.from({ length: rota.weeks }, (_, at) => weekOf(rota, at + 1)),
    }))

type AbsenceRow = NonNullable<TeamRow['absences']>[number]
type VisitRow = Awaited<ReturnType<typeof visitsAround>>[number]

/** Visits that an absence meets, each counted once. */
function hitsOf({ fromDay, toDay, opensAt, closesAt }: AbsenceRow, visits: readonly VisitRow[], timeZone: string): number {
  const hit = visits.filter(({ startsAt, endsAt }) => {
    const [from, to] = [minuteOfText(startsAt), minuteOfText(endsAt)]
    const day = dayOf(timeZone, from)
    if (day < fromDay || day > toDay) return false
    return opensAt === null || closesAt === null || (wallMinuteOf(timeZone, from) < closesAt && wallMinuteOf(timeZone, to) > opensAt)
  })
  return new Set(hit.map(({ id }) => id)).size
}

const absenceOf = (row: AbsenceRow, visits: readonly VisitRow[], timeZone: string): TeamAbsence => {
  const { id, kind, fromDay, toDay, opensAt, closesAt, note } = row
  const part = opensAt === null || closesAt === null ? null : wallRange({ opensAt, closesAt })
  return { _id: id, kind, fromDay, toDay, part, note, hits: hitsOf(row, visits, timeZone) }
}

const takesDay = (day: string, { fromDay, toDay, part }: TeamAbsence): boolean => part === null && fromDay <= day && day <= toDay

const availabilityOn = (day: string, absences: readonly TeamAbsence[]): TeamMember['availability'] => {
  const kinds = absences.filter((one) => takesDay(day, one)).map(({ kind }) => kind)
  return kinds.includes('sick_leave') ? 'sick_leave' : kinds.length > 0 ? 'on_holiday' : 'available'
}

const daysOf = (shifts: MemberShifts, monday: string, absences: readonly TeamAbsence[]): TeamMember['days'] =>
  Array.from({ length: shownDays }, (_, at) => {
    const day = addDays(monday, at)
    return {
      day,
      shifts: shiftsOn(shifts, dayNumber(day)).map(wallShift),
      away: absences.find((one) => takesDay(day, one))?.kind ?? null,
      isReplaced: shifts.overrides.some((one) => one.day === day),
    }
  })

const servicesOf = (loaded: LoadedInstitute, locale: Locale): Team['services'] =>
  [...loaded.serviceDetails.values()].map(({ id, name, section, parts, priceAmount }) => ({
    _id: id,
    name: localised(name, locale) ?? '',
    section: localised(section, locale) ?? '',
    minutes: parts,
    priceAmount,
  }))

const hoursOf = ({ diary }: LoadedInstitute): Team['openingHours'] =>
  Object.fromEntries(
    weekdays.map((weekday, index) => [weekday, diary.openingHours.filter((one) => one.weekday === index + 1).map(wallRange)]),
  ) as Team['openingHours']

const performedBy = (row: TeamRow): TeamMember['services'] =>
  (row.performs ?? []).map(([serviceId, activeMinutes, idleMinutes, activeAfterMinutes, priceAmount]) => ({
    serviceId,
    minutes: activeMinutes === null ? null : { activeMinutes, idleMinutes: idleMinutes ?? 0, activeAfterMinutes: activeAfterMinutes ?? 0 },
    priceAmount,
  }))

const lengthOf = (spans: readonly { from: number; to: number }[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

export const mondayOf = (day: string): string => dayOfNumber(dayNumber(day) - (weekdayOfNumber(dayNumber(day)) - 1))

/** The instants between which days of an institute's calendar lie. */
export const instantsOfDays = (timeZone: string, fromDay: string, toDay: string): { from: Date; to: Date } => ({
  from: new Date(minuteText(spanOfDay(timeZone, fromDay).from)),
  to: new Date(minuteText(spanOfDay(timeZone, toDay).to)),
})

/** The institute with this week's diary. */
export async function instituteOfWeek(
  { database }: Pick<AppContext, 'database'>,
  instituteId: string,
  now: Instant,
): Promise<LoadedInstitute> {
  const week = 7 * dayMs
  const loaded = await loadDiary(database.db, { instituteId, from: new Date(now - week), to: new Date(now + week), now: new Date(now) })
  if (!loaded) throw refuse('not_found')
  return loaded
}

export async function teamOf(context: AppContext, scope: InstituteScope<'team.change'>, locale: Locale): Promise<Team> {
  const { db } = context.database
  const now = context.clock.now()
  const loaded = await instituteOfWeek(context, scope.instituteId, now)
  const { timeZone, currency } = loaded.institute
  const today = dayOf(timeZone, minuteOf(now))
  const monday = mondayOf(today)
  const rows = await listTeam(db, scope, { fromDay: monday, now: new Date(now) })
  const shifts = new Map(
    (
      await shiftsOf(
        db,
        rows.map(({ id }) => id),
      )
    ).map((one) => [one.memberId, one]),
  )
  const busy = await busyTimes(db, scope, instantsOfDays(timeZone, monday, addDays(monday, 6)))
  const ahead = await visitsAround(db, scope, { fromDay: monday, now: new Date(now) })
  const items = rows.flatMap((row): TeamMember[] => {
    const works = shifts.get(row.id)
    if (!works) return []
    const { id, performs: _performs, absences: _absences, ...facts } = row
    const visits = ahead.filter(({ memberId }) => memberId === id)
    const absences = (row.absences ?? []).map((one) => absenceOf(one, visits, timeZone))
    return [
      {
        _id: id,
        ...facts,
        services: performedBy(row),
        rotas: rotasOf(works, today),
        availability: availabilityOn(today, absences),
        absences: absences.filter(({ toDay }) => toDay >= today),
        days: daysOf(works, monday, absences),
        shiftMinutes: lengthOf(workingSpans(loaded.diary, id, { fromDay: monday, days: 7 })),
        busyMinutes: lengthOf(
          busy
            .filter(({ memberId }) => memberId === id)
            .map(({ startsAt, endsAt }) => ({ from: minuteOfText(startsAt), to: minuteOfText(endsAt) })),
        ),
      },
    ]
  })
  return { items, services: servicesOf(loaded, locale), timeZone, currency, today, openingHours: hoursOf(loaded) }
}
