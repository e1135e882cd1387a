// When an institute is open and who works when: hours, closures, rotas with breaks, single days, leave.
import type { Random } from '#/random.ts'
import { type ClosureRow, closureRow, type OpeningRow, openingRow, type WallRange, type LocalizedText } from '#/rows/institute.ts'
import {
  type AbsenceRow,
  absenceRow,
  type MemberRow,
  type OverrideRow,
  overrideRow,
  type RotaRow,
  rotaRow,
  type RotaShiftRow,
  rotaShiftRow,
  type Shift,
} from '#/rows/team.ts'

/** The institute that is made, and the instant its ids are made at, in milliseconds since the epoch. */
export interface Made {
  instituteId: string
  at: number
}

/** Opening ranges of a week, Monday first. */
export type Week = readonly (readonly WallRange[])[]

const longestShift = 9 * 60
const lunchAfter = 5 * 60

export const openingRows = (week: Week, made: Made): OpeningRow[] =>
  week.flatMap((ranges, index) => ranges.map((range) => openingRow({ instituteId: made.instituteId, weekday: index + 1, ...range })))

const reasons: readonly [LocalizedText, ...LocalizedText[]] = [
  { en: 'Stock-taking', fr: 'Inventaire', ar: 'جرد' },
  { en: 'The floor is being oiled', fr: 'On huile le parquet', ar: 'تجديد الأرضية' },
  { en: 'A day of training', fr: 'Journée de formation', ar: 'يوم تدريب' },
]

/** A closed day or two beside today (never today), and for some an evening that ends early. */
export function closureRows(today: Temporal.PlainDate, random: Random, made: Made): ClosureRow[] {
  const rows: ClosureRow[] = []
  const add = (from: number, to: number, part: WallRange | null): void => {
    rows.push(
      closureRow({
        id: random.uuid(made.at),
        instituteId: made.instituteId,
        fromDay: today.add({ days: from }).toString(),
        toDay: today.add({ days: to }).toString(),
        part,
        reason: random.pick(reasons),
      }),
    )
  }
  if (random.chance(0.15)) add(-2, -2, null)
  if (random.chance(0.3)) add(10, random.between(10, 14), null)
  if (random.chance(0.2)) add(4, 4, { opensAt: 17 * 60, closesAt: 23 * 60 })
  return rows
}

function breaksOf(opensAt: number, closesAt: number, position: number): WallRange[] {
  if (closesAt - opensAt < lunchAfter + 60) return []
  const start = Math.min(Math.max(12 * 60 + (position % 3) * 40, opensAt + 160), closesAt - 160)
  const aligned = opensAt + Math.round((start - opensAt) / 20) * 20
  return [{ opensAt: aligned, closesAt: aligned + (position % 2 === 0 ? 60 : 40) }]
}

/** One opening range as one member works it: whole when short, else the early or the late end of it. */
function shiftWithin(range: WallRange, position: number, late: boolean): Shift {
  const length = range.closesAt - range.opensAt
  const opensAt = length > longestShift && late ? range.closesAt - longestShift + 60 : range.opensAt
  const closesAt = length > longestShift && !late ? Math.min(range.closesAt, range.opensAt + longestShift + 20) : range.closesAt
  return { opensAt, closesAt, breaks: breaksOf(opensAt, closesAt, position) }
}

interface WorkedShift {
  week: number
  weekday: number
  shift: Shift
}

function weekShifts(week: Week, position: number, rotaWeek: number, partTime: boolean): WorkedShift[] {
  const openDays = week.flatMap((ranges, index) => (ranges.length > 0 ? [index + 1] : []))
  const freeDays = Math.max(0, openDays.length - (partTime ? 4 : 5))
  const off = new Set(Array.from({ length: freeDays }, (_, at) => openDays[(position * 2 + rotaWeek * 3 + at) % openDays.length]))
  return openDays
    .filter((weekday) => !off.has(weekday))
    .flatMap((weekday) =>
      (week[weekday - 1] ?? []).map((range) => ({
        week: rotaWeek,
        weekday,
        shift: shiftWithin(range, position, (position + weekday + rotaWeek) % 2 === 0),
      })),
    )
}

export interface RotaRows {
  rotas: RotaRow[]
  shifts: RotaShiftRow[]
}

export function rotaRows(week: Week, members: readonly MemberRow[], random: Random, made: Made): RotaRows {
  const rows: RotaRows = { rotas: [], shifts: [] }
  members.forEach((member, position) => {
    const weeks = random.chance(0.3) ? 2 : 1
    const partTime = position > 0 && random.chance(0.2)
    const rota = rotaRow({ id: random.uuid(made.at), instituteId: made.instituteId, memberId: member.id, weeks })
    rows.rotas.push(rota)
    for (let rotaWeek = 1; rotaWeek <= weeks; rotaWeek++)
      for (const worked of weekShifts(week, position, rotaWeek, partTime))
        rows.shifts.push(rotaShiftRow({ rotaId: rota.id, instituteId: made.instituteId, ...worked }))
  })
  return rows
}

/** A short day here and a day off there, in the coming fortnight. */
export function overrideRows(
  today: Temporal.PlainDate,
  week: Week,
  members: readonly MemberRow[],
  random: Random,
  made: Made,
): OverrideRow[] {
  const rows: OverrideRow[] = []
  members.forEach((member, position) => {
    if (position === 0 || !random.chance(0.25)) return
    const day = today.add({ days: random.between(2, 12) })
    const range = week[day.dayOfWeek - 1]?.[0]
    const shifts =
      range && random.chance(0.6)
        ? [{ opensAt: range.opensAt + 20, closesAt: Math.min(range.closesAt, range.opensAt + 260), breaks: [] }]
        : []
    rows.push(overrideRow({ instituteId: made.instituteId, memberId: member.id, day: day.toString(), shifts }))
  })
  return rows
}

/** Leave around today. The institute of the mockups has its own; elsewhere a third of the larger teams miss somebody. */
export function absenceRows(
  today: Temporal.PlainDate,
  slug: string,
  members: readonly MemberRow[],
  random: Random,
  made: Made,
): AbsenceRow[] {
  const rows: AbsenceRow[] = []
  const add = (member: MemberRow | undefined, kind: AbsenceRow['kind'], from: number, to: number): void => {
    if (!member) return
    rows.push(
      absenceRow({
        id: random.uuid(made.at),
        instituteId: made.instituteId,
        memberId: member.id,
        kind,
        fromDay: today.add({ days: from }).toString(),
        toDay: today.add({ days: to }).toString(),
      }),
    )
  }
  if (slug === 'atelier-nacre') {
    add(
      members.find((member) => member.name === 'Salma'),
      'sick_leave',
      0,
      3,
    )
    add(
      members.find((member) => member.name === 'Noé'),
      'on_holiday',
      -8,
      4,
    )
    add(
      members.find((member) => member.name === 'Inès'),
      'on_holiday',
      33,
      40,
    )
    return rows
  }
  if (members.length >= 4 && random.chance(0.4))
    add(members[random.between(1, members.length - 1)], 'on_holiday', -random.between(1, 6), random.between(1, 8))
  if (members.length >= 3 && random.chance(0.2)) add(members[1], 'on_holiday', random.between(14, 20), 27)
  if (members.length >= 5 && random.chance(0.3)) add(members[2], 'sick_leave', -1, random.between(0, 2))
  return rows
}
