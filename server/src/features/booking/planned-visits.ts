/** Visits as rows, made from what was planned, so that an answer need not be read back. What was held is remembered for its confirmation. */
import { LRUCache } from 'lru-cache'
import type { VisitPlan } from '@soigne/scheduling/model'
import { minuteText } from '#/platform/instants.ts'
import type { DiaryState, LoadedInstitute } from '#/features/availability/service.ts'
import type { AppointmentRow, SegmentRow } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { OpenDatabase } from '#/platform/database.ts'
import type { NewHold } from './hold-store.ts'
import type { NewSegment } from './store.ts'

export interface PlannedVisit {
  row: AppointmentRow
  segments: SegmentRow[]
}

/** The rows of a hold as they are when it has just been made. */
export function plannedVisit({ loaded, place }: DiaryState, hold: Omit<NewHold, 'body'>, createdAt: string): PlannedVisit {
  const { institute } = loaded
  const row: AppointmentRow = {
    id: hold.id,
    reference: hold.reference,
    life: 'held',
    payment: 'none',
    attendance: 'expected',
    startsAt: hold.startsAt,
    endsAt: hold.endsAt,
    timeZone: hold.timeZone,
    cart: [...hold.cart],
    totalAmount: hold.totalAmount,
    currency: hold.currency,
    terms: hold.terms,
    depositAmount: null,
    fees: null,
    sessionsWorth: null,
    paymentMethod: null,
    note: null,
    expiresAt: hold.expiresAt,
    holdExtended: false,
    cancelledAt: null,
    cancelledBy: null,
    createdAt,
    movedCount: 0,
    revision: 0,
    ownNote: null,
    attendedAt: null,
    madeBy: 'client',
    userId: hold.userId,
    customerId: null,
    customerName: null,
    customerPhone: null,
    instituteId: institute.id,
    instituteSlug: institute.slug,
    instituteName: institute.name,
    addressLine: place.addressLine,
    postalCode: place.postalCode,
    city: institute.city,
    institutePhone: place.phone,
    lat: place.lat,
    lon: place.lon,
    coverUrl: place.coverUrl,
    category: institute.categories[0] ?? '',
    payAtSalon: institute.payAtSalon,
  }
  return { row, segments: plannedSegments(loaded, hold.id, hold.segments) }
}

/** Segments of a visit as they would be read back. */
export const plannedSegments = (loaded: LoadedInstitute, appointmentId: string, segments: readonly NewSegment[]): SegmentRow[] =>
  segments.map((segment) => {
    const member = loaded.memberDetails.get(segment.memberId)
    return { ...segment, id: '', appointmentId, memberName: member?.name ?? '', memberImageUrl: member?.imageUrl ?? '' }
  })

/** The end of a plan, ISO. */
export const endOf = (plan: VisitPlan): string => minuteText(plan.endsAt)

const mostRemembered = 20_000
const memories = new WeakMap<OpenDatabase, LRUCache<string, PlannedVisit>>()

const memoryOf = (database: OpenDatabase): LRUCache<string, PlannedVisit> => {
  let memory = memories.get(database)
  if (!memory) memories.set(database, (memory = new LRUCache({ max: mostRemembered })))
  return memory
}

/** What never changes of a hold may be remembered: it cannot be moved, and whether it still lives is asked where it is confirmed. */
export const rememberHold = (database: OpenDatabase, visit: PlannedVisit): void => void memoryOf(database).set(visit.row.id, visit)
export const rememberedHold = (database: OpenDatabase, scope: SelfScope, id: string): PlannedVisit | null => {
  const visit = memoryOf(database).get(id)
  return visit && visit.row.userId === scope.userId ? visit : null
}
