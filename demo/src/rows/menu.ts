// Rows of what an institute offers, and of the chairs, rooms and machines it needs for that.
import type { LocalizedText } from './institute.ts'

/** What of a service the member works, and the pause between. */
export interface ServiceMinutes {
  activeMinutes: number
  idleMinutes: number
  activeAfterMinutes: number
}

export interface ServiceFacts extends Partial<ServiceMinutes> {
  id: string
  instituteId: string
  position: number
  category: string
  name: LocalizedText
  activeMinutes: number
  section?: LocalizedText
  description?: LocalizedText
  bufferBeforeMinutes?: number
  bufferAfterMinutes?: number
  isSequential?: boolean | undefined
  priceKind?: string
  /** Minor units of the institute's currency. */
  priceAmount: number | null
  audience?: string
  latestStart?: number | undefined
  noticeMinutes?: number | undefined
  minimumAge?: number | undefined
  resourceType?: string | null
  /** Seats of a group session; absent where a visit is one client alone. */
  capacity?: number | undefined
  /** In the salon when absent. */
  venue?: 'salon' | 'home' | 'either' | undefined
  /** The owner's choice of what the institute leads with. */
  isSignature?: boolean | undefined
}

export type ServiceRow = ReturnType<typeof serviceRow>
export const serviceRow = (facts: ServiceFacts) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  position: facts.position,
  category: facts.category,
  section: facts.section ?? {},
  name: facts.name,
  description: facts.description ?? {},
  active_minutes: facts.activeMinutes,
  idle_minutes: facts.idleMinutes ?? 0,
  active_after_minutes: facts.activeAfterMinutes ?? 0,
  buffer_before_minutes: facts.bufferBeforeMinutes ?? 0,
  buffer_after_minutes: facts.bufferAfterMinutes ?? 0,
  is_sequential: facts.isSequential ?? false,
  price_kind: facts.priceKind ?? 'fixed',
  price_amount: facts.priceAmount,
  audience: facts.audience ?? 'All',
  latest_start: facts.latestStart ?? null,
  notice_minutes: facts.noticeMinutes ?? null,
  minimum_age: facts.minimumAge ?? null,
  resource_type: facts.resourceType ?? null,
  capacity: facts.capacity ?? null,
  venue: (facts.venue ?? 'salon') as 'salon' | 'home' | 'either',
  active: true,
  is_signature: facts.isSignature ?? false,
  booked_rank: null as number | null,
})

/** What no bag holds, and what a group comes together for, stays in the salon. */
const staysPut = new Set(['laser', 'machine', 'hammam'])

/** Everything that can be done at a client's home as well is. */
export function offerAtHome(services: readonly ServiceRow[]): void {
  for (const row of services) if (row.capacity === null && !staysPut.has(row.resource_type ?? '')) row.venue = 'either'
}

export type PrerequisiteRow = ReturnType<typeof prerequisiteRow>
/** A patch test two days to six months before. */
export const prerequisiteRow = (facts: { instituteId: string; serviceId: string; requiredServiceId: string }) => ({
  service_id: facts.serviceId,
  institute_id: facts.instituteId,
  required_service_id: facts.requiredServiceId,
  min_hours: 48,
  max_months: 6,
})

export type ResourceRow = ReturnType<typeof resourceRow>
export const resourceRow = (facts: { id: string; instituteId: string; type: string; name: string; position: number }) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  type: facts.type,
  name: facts.name,
  position: facts.position,
  active: true,
})

export type ResourceClosureRow = ReturnType<typeof resourceClosureRow>
export const resourceClosureRow = (facts: { id: string; instituteId: string; resourceId: string; fromDay: string; toDay: string }) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  resource_id: facts.resourceId,
  from_day: facts.fromDay,
  to_day: facts.toDay,
})
