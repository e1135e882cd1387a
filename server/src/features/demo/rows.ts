// Rows as the tables have them; each key is a column.
import type { Words } from './content.ts'

export interface WallRangeJson {
  opensAt: number
  closesAt: number
}

export interface InstituteRow {
  id: string
  slug: string
  owner_id: string | null
  state: 'published'
  claimed: boolean
  name: string
  description: Words
  categories: string[]
  email: string
  phone: string
  website: string | null
  address_line: string
  quarter: string
  postal_code: string
  city: string
  country_code: string
  lat: number
  lon: number
  time_zone: string
  currency: string
  at_home: boolean
  at_home_radius_km: number | null
  audience: string[]
  languages: string[]
  payment_methods: string[]
  pay_at_salon: boolean
  grid_minutes: number
  notice_minutes: number
  horizon_days: number
  max_wait_minutes: number
  gap_policy: string
  service_order: string
  cancel_window_minutes: number
  reschedule_window_minutes: number
  rating_count: number
  average_welcoming: number
  average_hygiene: number
  average_atmosphere: number
  average_service_quality: number
  created_at: string
  published_at: string
}

export interface PictureRow {
  id: string
  institute_id: string
  position: number
  url: string
  alt: Words
}
export interface OpeningRow {
  institute_id: string
  weekday: number
  opens_at: number
  closes_at: number
}
export interface ClosureRow {
  id: string
  institute_id: string
  from_day: string
  to_day: string
  opens_at: number | null
  closes_at: number | null
  reason: Words
}

export interface ServiceRow {
  id: string
  institute_id: string
  position: number
  category: string
  section: Words
  name: Words
  description: Words
  active_minutes: number
  idle_minutes: number
  active_after_minutes: number
  buffer_before_minutes: number
  buffer_after_minutes: number
  price_kind: string
  price_amount: number | null
  audience: string
  latest_start: number | null
  notice_minutes: number | null
  minimum_age: number | null
  resource_type: string
  active: boolean
}

export interface PrerequisiteRow {
  service_id: string
  institute_id: string
  required_service_id: string
  min_hours: number
  max_months: number
}

export interface MemberRow {
  id: string
  institute_id: string
  user_id: string | null
  position: number
  name: string
  title: Words
  bio: Words
  languages: string[]
  image_url: string
  bookable_online: boolean
  active: boolean
}

export interface MemberServiceRow {
  member_id: string
  service_id: string
  institute_id: string
  active_minutes: number | null
  idle_minutes: number | null
  active_after_minutes: number | null
  price_amount: number | null
}

export interface RotaRow {
  id: string
  institute_id: string
  member_id: string
  weeks: number
  anchor_day: string
  valid_from: string | null
  valid_to: string | null
}
export interface RotaShiftRow {
  rota_id: string
  institute_id: string
  week: number
  weekday: number
  opens_at: number
  closes_at: number
  breaks: WallRangeJson[]
}
export interface OverrideRow {
  member_id: string
  institute_id: string
  day: string
  shifts: { opensAt: number; closesAt: number; breaks: WallRangeJson[] }[]
}
export interface AbsenceRow {
  id: string
  institute_id: string
  member_id: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  from_day: string
  to_day: string
  opens_at: number | null
  closes_at: number | null
  note: string | null
}
export interface ResourceRow {
  id: string
  institute_id: string
  type: string
  name: string
  position: number
  active: boolean
}
export interface ResourceClosureRow {
  id: string
  institute_id: string
  resource_id: string
  from_day: string
  to_day: string
}

export interface CustomerRow {
  id: string
  institute_id: string
  user_id: string | null
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  birthday: string | null
  notes: string
  created_at: string
}

export interface AppointmentRow {
  id: string
  institute_id: string
  user_id: string | null
  customer_id: string
  reference: string
  status: 'pending' | 'completed' | 'cancelled'
  attendance: 'expected' | 'in_service' | 'done' | 'no_show'
  starts_at: string
  ends_at: string
  time_zone: string
  cart: { serviceId: string; staffId: string }[]
  total_amount: number
  currency: string
  terms: Record<string, unknown>
  payment_method: string | null
  note: string | null
  expires_at: null
  hold_extended: boolean
  cancelled_at: string | null
  cancelled_by: 'client' | 'institute' | null
  cancel_reason: string | null
  moved_count: number
  first_starts_at: string
  created_at: string
  confirmed_at: string
}

export interface SegmentRow {
  id: string
  appointment_id: string
  institute_id: string
  position: number
  service_id: string
  member_id: string
  resource_id: string | null
  starts_at: string
  ends_at: string
  snapshot: Record<string, unknown>
  price_amount: number | null
}

export interface OccupationRow {
  id: string
  institute_id: string
  appointment_id: string
  subject_kind: 'member' | 'resource'
  subject_id: string
  during: string
  expires_at: null
}

/** One institute with everything that is true of it before anyone books. */
export interface DemoInstitute {
  institute: InstituteRow
  pictures: PictureRow[]
  openingHours: OpeningRow[]
  closures: ClosureRow[]
  services: ServiceRow[]
  prerequisites: PrerequisiteRow[]
  members: MemberRow[]
  memberServices: MemberServiceRow[]
  rotas: RotaRow[]
  shifts: RotaShiftRow[]
  overrides: OverrideRow[]
  absences: AbsenceRow[]
  resources: ResourceRow[]
  resourceClosures: ResourceClosureRow[]
}

export interface DemoVisits {
  customers: CustomerRow[]
  appointments: AppointmentRow[]
  segments: SegmentRow[]
  occupations: OccupationRow[]
}
