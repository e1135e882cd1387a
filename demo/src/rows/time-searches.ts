// Rows of what people looked for: services and days, and nothing of who did.
import { instantText } from './instants.ts'

export interface AskedSearch {
  /** Milliseconds since the epoch. */
  askedAt: number
  serviceId: string
  memberId: string | null
  fromDay: string
  days: number
}

export const timeSearchRow = (instituteId: string, { askedAt, serviceId, memberId, fromDay, days }: AskedSearch, found: number) => ({
  institute_id: instituteId,
  asked_at: instantText(askedAt),
  cart: [memberId === null ? { serviceId } : { serviceId, staffId: memberId }],
  from_day: fromDay,
  days,
  found,
})
