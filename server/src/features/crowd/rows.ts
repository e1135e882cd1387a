// One made-up institute as rows; each key of a row is a column.
import type {
  AbsenceRow,
  AppointmentRow,
  ClosureRow,
  CustomerRow,
  InstituteRow,
  MemberRow,
  MemberServiceRow,
  OccupationRow,
  OpeningRow,
  OverrideRow,
  PictureRow,
  PrerequisiteRow,
  ResourceRow,
  RotaRow,
  RotaShiftRow,
  SegmentRow,
  ServiceRow,
} from '#/features/demo/service.ts'

export type CrowdInstituteRow = Omit<InstituteRow, 'phone' | 'quarter' | 'postal_code'>
export type CrowdServiceRow = Omit<ServiceRow, 'resource_type'> & { resource_type: string | null }

export interface CrowdHouse {
  institute: CrowdInstituteRow
  pictures: PictureRow[]
  openingHours: OpeningRow[]
  closures: ClosureRow[]
  services: CrowdServiceRow[]
  prerequisites: PrerequisiteRow[]
  members: MemberRow[]
  memberServices: MemberServiceRow[]
  rotas: RotaRow[]
  shifts: RotaShiftRow[]
  overrides: OverrideRow[]
  absences: AbsenceRow[]
  resources: ResourceRow[]
}

export interface CrowdVisits {
  customers: CustomerRow[]
  appointments: AppointmentRow[]
  segments: SegmentRow[]
  occupations: OccupationRow[]
}

/** Every id of the crowd was made in these milliseconds, before there was a product: that is how the crowd is told from what people made. */
export const crowdFrom = Date.UTC(2025, 0, 1)
/** More institutes than this nobody makes: each has a millisecond of its own. */
export const mostInstitutes = 1_000_000
