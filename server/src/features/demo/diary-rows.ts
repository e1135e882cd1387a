// When an institute is open and who works when: hours, closures, rotas with breaks, single days, leave.
import type { Words } from './content.ts'
import type { Random } from './random.ts'
import type { AbsenceRow, ClosureRow, MemberRow, OpeningRow, OverrideRow, RotaRow, RotaShiftRow, WallRangeJson } from './rows.ts'

interface Made {
  instituteId: string
  at: number
}
type Week = readonly (readonly WallRangeJson[])[]

/** Rotas of several weeks count from this Monday, so that week A stays week A whenever the demo is made. */
export const rotaAnchorDay = '2026-01-05'

const longestShift = 9 * 60
const lunchAfter = 5 * 60

export const openingRows = (week: Week, made: Made): OpeningRow[] =>
  week.flatMap((ranges, index) =>
    ranges.map((range) => ({ institute_id: made.instituteId, weekday: index + 1, opens_at: range.opensAt, closes_at: range.closesAt })),
  )

const reasons: readonly [Words, ...Words[]] = [
  { en: 'Stock-taking', fr: 'Inventaire', ar: 'جرد' },
  { en: 'The floor is being oiled', fr: 'On huile le parquet', ar: 'تجديد الأرضية' },
  { en: 'A day of training', fr: 'Journée de formation', ar: 'يوم تدريب' },
]

/** A closed day or two beside today (never today), and for some an evening that ends early. */
export function closureRows(today: Temporal.PlainDate, random: Random, made: Made): ClosureRow[] {
  const rows: ClosureRow[] = []
  const add = (from: number, to: number, part: WallRangeJson | null): void => {
    rows.push({
      id: random.uuid(made.at),
      institute_id: made.instituteId,
      from_day: today.add({ days: from }).toString(),
      to_day: today.add({ days: to }).toString(),
      opens_at: part?.opensAt ?? null,
      closes_at: part?.closesAt ?? null,
      reason: random.pick(reasons),
    })
  }
  if (random.chance(0.15)) add(-2, -2, null)
  if (random.chance(0.3)) add(10, random.between(10, 14), null)
  if (random.chance(0.2)) add(4, 4, { opensAt: 17 * 60, closesAt: 23 * 60 })
  return rows
}

function breaksOf(opensAt: number, closesAt: number, position: number): WallRangeJson[] {
  if (closesAt - opensAt < lunchAfter + 60) return []
  const start = Math.min(Math.max(12 * 60 + (position % 3) * 40, opensAt + 160), closesAt - 160)
  const aligned = opensAt + Math.round((start - opensAt) / 20) * 20
  return [{ opensAt: aligned, closesAt: aligned + (position % 2 === 0 ? 60 : 40) }]
}

/** One opening range as one member works it: whole when short, else the early or the late end of it. */
function shiftWithin(
  range: WallRangeJson,
  position: number,
  late: boolean,
): { opensAt: number; closesAt: number; breaks: WallRangeJson[] } {
  const length = range.closesAt - range.opensAt
  const opensAt = length > longestShift && late ? range.closesAt - longestShift + 60 : range.opensAt
  const closesAt = length > longestShift && !late ? Math.min(range.closesAt, range.opensAt + longestShift + 20) : range.closesAt
  return { opensAt, closesAt, breaks: breaksOf(opensAt, closesAt, position) }
}

function weekShifts(week: Week, position: number, rotaWeek: number, partTime: boolean): Omit<RotaShiftRow, 'rota_id' | 'institute_id'>[] {
  const openDays = week.flatMap((ranges, index) => (ranges.length > 0 ? [index + 1] : []))
  const freeDays = Math.max(0, openDays.length - (partTime ? 4 : 5))
  const off = new Set(Array.from({ length: freeDays }, (_, at) => openDays[(position * 2 + rotaWeek * 3 + at) % openDays.length]))
  return openDays
    .filter((weekday) => !off.has(weekday))
    .flatMap((weekday) =>
      (week[weekday - 1] ?? []).map((range) => {
        const shift = shiftWithin(range, position, (position + weekday + rotaWeek) % 2 === 0)
        return { week: rotaWeek, weekday, opens_at: shift.opensAt, closes_at: shift.closesAt, breaks: shift.breaks }
      }),
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
    const rota = {
      id: random.uuid(made.at),
      institute_id: made.instituteId,
      member_id: member.id,
      weeks,
      anchor_day: rotaAnchorDay,
      valid_from: null,
      valid_to: null,
    }
    rows.rotas.push(rota)
    for (let rotaWeek = 1; rotaWeek <= weeks; rotaWeek++) {
      rows.shifts.push(
        ...weekShifts(week, position, rotaWeek, partTime).map((shift) => ({ rota_id: rota.id, institute_id: made.instituteId, ...shift })),
      )
    }
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
    rows.push({ member_id: member.id, institute_id: made.instituteId, day: day.toString(), shifts })
  })
  return rows
}

/** Leave around today. The mockups' house has its own; elsewhere a third of the larger teams miss somebody. */
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
    rows.push({
      id: random.uuid(made.at),
      institute_id: made.instituteId,
      member_id: member.id,
      kind,
      from_day: today.add({ days: from }).toString(),
      to_day: today.add({ days: to }).toString(),
      opens_at: null,
      closes_at: null,
      note: null,
    })
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
