/** What the sections of an export hold, as far as its files for spreadsheets and calendars read them. */
import type { Locale } from '@soigne/contract/wire'

type Words = Partial<Record<Locale, string>>
/** Minutes after midnight on the institute's clock. */
interface Hours {
  opensAt: number
  closesAt: number
}

export interface VisitRow {
  id: string
  reference: string
  client: string | null
  phone: string | null
  state: 'booked' | 'cancelled'
  attendance: 'expected' | 'arrived' | 'in_service' | 'done' | 'no_show'
  startsAt: string
  endsAt: string
  currency: string
  totalAmount: number
  madeBy: 'client' | 'institute' | 'system'
  bookedAt: string
  cancelledAt: string | null
  movedCount: number
  note: string | null
  ownNote: string | null
  segments:
    | { service: Words; member: string; resource: string | null; startsAt: string; endsAt: string; priceAmount: number | null }[]
    | null
}

export interface RowsOf {
  institute: { name: string; slug: string; timeZone: string; currency: string; addressLine: string; city: string }
  settings: object
  businessChecks: object
  openingHours: Hours & { weekday: number }
  closures: { fromDay: string; toDay: string; opensAt: number | null; closesAt: number | null; reason: Words | null }
  services: {
    name: Words
    category: string
    group: Words | null
    activeMinutes: number
    idleMinutes: number
    activeAfterMinutes: number
    priceAmount: number | null
    currency: string
    archivedAt: string | null
  }
  team: { name: string; title: Words; languages: string[]; active: boolean; lastDay: string | null; services: { name: Words }[] | null }
  people: object
  shifts: Hours & { member: string; week: number; weekday: number; breaks: Hours[]; validFrom: string | null; validTo: string | null }
  shiftOverrides: object
  absences: object
  leaveRequests: object
  resources: { type: string; name: string; note: string | null; active: boolean }
  blockedTimes: object
  groupSessions: object
  visits: VisitRow
  customers: {
    firstName: string
    lastName: string
    phone: string | null
    email: string | null
    birthday: string | null
    locale: string | null
    tags: string[]
    alert: string | null
    notes: string | null
    blockedAt: string | null
    mergedInto: string | null
  }
  health: { id: string; client: string; allergies: string; formulas: string }
  reviews: {
    /** Null where the account has ended: the grades stay. */
    author: string | null
    welcoming: number
    hygiene: number
    atmosphere: number
    serviceQuality: number
    text: string | null
    reply: string | null
    createdAt: string
  }
  products: { name: string; priceAmount: number; stock: number | null }
  documents: {
    number: string
    kind: 'invoice' | 'credit_note'
    day: string
    client: string | null
    currency: string
    lines: { name: Words | string; member: string | null; quantity: number; amount: number; vat: number; vatBasisPoints: number }[]
  }
  payments: { day: string; kind: 'deposit' | 'payment' | 'refund'; method: string; amount: number; currency: string }
  refunds: object
  disputes: object
  payouts: object
  keptDeposits: object
  giftCards: object
  packages: object
  clientPackages: object
  fees: object
  feePayments: object
  tips: object
  tillClosings: object
  messages: { client: string; from: 'client' | 'institute'; text: string | null; file: string | null; sentAt: string }
}
export type SectionName = keyof RowsOf
