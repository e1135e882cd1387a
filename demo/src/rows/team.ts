// Rows of the people who work in an institute: what they perform, their rotas, single days and leave.
import type { WallRange, LocalizedText } from './institute.ts'
import type { ServiceMinutes } from './menu.ts'

export interface MemberFacts {
  id: string
  instituteId: string
  position: number
  name: string
  imageUrl: string
  userId?: string
  title?: LocalizedText
  bio?: LocalizedText
  languages?: readonly string[]
  bookableOnline?: boolean
}

export type MemberRow = ReturnType<typeof memberRow>
export const memberRow = (facts: MemberFacts) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  user_id: facts.userId ?? null,
  position: facts.position,
  name: facts.name,
  title: facts.title ?? {},
  bio: facts.bio ?? {},
  languages: facts.languages ?? ['English'],
  image_url: facts.imageUrl,
  bookable_online: facts.bookableOnline ?? true,
  active: true,
})

export interface MemberServiceFacts {
  instituteId: string
  memberId: string
  serviceId: string
  /** As the menu says when absent. */
  minutes?: ServiceMinutes | null
  priceAmount?: number | null
}

export type MemberServiceRow = ReturnType<typeof memberServiceRow>
export const memberServiceRow = ({ instituteId, memberId, serviceId, minutes, priceAmount }: MemberServiceFacts) => ({
  member_id: memberId,
  service_id: serviceId,
  institute_id: instituteId,
  active_minutes: minutes?.activeMinutes ?? null,
  idle_minutes: minutes?.idleMinutes ?? null,
  active_after_minutes: minutes?.activeAfterMinutes ?? null,
  price_amount: priceAmount ?? null,
})

/** Rotas of several weeks count from this Monday, so that week A stays week A whenever the rows are made. */
export const rotaAnchorDay = '2026-01-05'

export type RotaRow = ReturnType<typeof rotaRow>
export const rotaRow = (facts: { id: string; instituteId: string; memberId: string; weeks?: number }) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  member_id: facts.memberId,
  weeks: facts.weeks ?? 1,
  anchor_day: rotaAnchorDay,
  valid_from: null,
  valid_to: null,
})

/** The hours somebody works on one day. */
export interface Shift extends WallRange {
  breaks: WallRange[]
}

export type RotaShiftRow = ReturnType<typeof rotaShiftRow>
export const rotaShiftRow = (facts: { rotaId: string; instituteId: string; week: number; weekday: number; shift: Shift }) => ({
  rota_id: facts.rotaId,
  institute_id: facts.instituteId,
  week: facts.week,
  weekday: facts.weekday,
  opens_at: facts.shift.opensAt,
  closes_at: facts.shift.closesAt,
  breaks: facts.shift.breaks,
})

export type OverrideRow = ReturnType<typeof overrideRow>
/** One day replaced; without shifts a day off. */
export const overrideRow = (facts: { instituteId: string; memberId: string; day: string; shifts: Shift[] }) => ({
  member_id: facts.memberId,
  institute_id: facts.instituteId,
  day: facts.day,
  shifts: facts.shifts,
})

export type AbsenceRow = ReturnType<typeof absenceRow>
export const absenceRow = (facts: {
  id: string
  instituteId: string
  memberId: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  fromDay: string
  toDay: string
}) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  member_id: facts.memberId,
  kind: facts.kind,
  from_day: facts.fromDay,
  to_day: facts.toDay,
  opens_at: null as number | null,
  closes_at: null as number | null,
  note: null,
})
