// Which rows belong to which table, and in which order tables are written: what points at another comes after it.
import type { ClosureRow, InstituteRow, OpeningRow, PictureRow } from './institute.ts'
import type { PrerequisiteRow, ResourceClosureRow, ResourceRow, ServiceRow } from './menu.ts'
import type { CustomerRow } from './people.ts'
import type { AbsenceRow, MemberRow, MemberServiceRow, OverrideRow, RotaRow, RotaShiftRow } from './team.ts'
import type { ReviewRow } from './reviews.ts'
import type { SeatRow, SessionRow } from './sessions.ts'
import type { AppointmentRow, OccupationRow, SegmentRow } from './visits.ts'

/** One institute with everything that is true of it before anyone books. */
export interface InstituteRows {
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

export interface VisitRows {
  customers: CustomerRow[]
  appointments: AppointmentRow[]
  segments: SegmentRow[]
  occupations: OccupationRow[]
  sessions: SessionRow[]
  seats: SeatRow[]
  reviews: ReviewRow[]
}

/** Nothing yet. */
export const noVisits = (): VisitRows => ({
  customers: [],
  appointments: [],
  segments: [],
  occupations: [],
  sessions: [],
  seats: [],
  reviews: [],
})

/** Rows of one table. */
export type TableRows = readonly [table: string, rows: readonly object[]]

export const tablesOfInstitute = (rows: InstituteRows): TableRows[] => [
  ['institutes', [rows.institute]],
  ['institute_pictures', rows.pictures],
  ['opening_hours', rows.openingHours],
  ['closures', rows.closures],
  ['services', rows.services],
  ['service_prerequisites', rows.prerequisites],
  ['team_members', rows.members],
  ['member_services', rows.memberServices],
  ['rotas', rows.rotas],
  ['rota_shifts', rows.shifts],
  ['shift_overrides', rows.overrides],
  ['absences', rows.absences],
  ['resources', rows.resources],
  ['resource_closures', rows.resourceClosures],
]

export const tablesOfVisits = (rows: VisitRows): TableRows[] => [
  ['group_sessions', rows.sessions],
  ['customers', rows.customers],
  ['appointments', rows.appointments],
  ['segments', rows.segments],
  ['session_seats', rows.seats],
  ['occupations', rows.occupations],
  ['reviews', rows.reviews],
]

/** Columns that are arrays of the database, where a list would otherwise be JSON. */
export const arrayColumns: ReadonlySet<string> = new Set(['categories', 'audience', 'languages', 'payment_methods'])
