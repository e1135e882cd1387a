// Rows of an institute itself: the door, its pictures, when it is open. Each key of a row is a column.

/** A text in the languages of the product. */
export type LocalizedText = Readonly<Partial<Record<'en' | 'fr' | 'ar', string>>>

/** Wall minutes of a day. */
export interface WallRange {
  opensAt: number
  closesAt: number
}

/** The rules an institute sets for those who book. */
export interface BookingRules {
  gridMinutes: number
  noticeMinutes: number
  horizonDays: number
  maxWaitMinutes: number
  gapPolicy: string
  serviceOrder: string
  cancelWindowMinutes: number | null
  rescheduleWindowMinutes: number | null
}

/** Averages of one to five. */
export interface Ratings {
  count: number
  welcoming: number
  hygiene: number
  atmosphere: number
  serviceQuality: number
}

export interface InstituteFacts {
  id: string
  slug: string
  name: string
  city: string
  countryCode: string
  lat: number
  lon: number
  timeZone: string
  currency: string
  rules: BookingRules
  /** An instant; it is published at the same. */
  createdAt: string
  categories: readonly string[]
  ownerId?: string | null
  state?: string
  claimed?: boolean
  description?: LocalizedText
  email?: string
  phone?: string
  addressLine?: string
  quarter?: string
  /** The quarter's Arabic name. */
  quarterAr?: string
  postalCode?: string
  atHomeRadiusKm?: number | undefined
  audience?: readonly string[]
  languages?: readonly string[]
  paymentMethods?: readonly string[]
  payAtSalon?: boolean
  /** What is paid online to book; nothing when absent. */
  deposit?: { percent: number } | { amount: number } | undefined
}

const depositColumns = (deposit: InstituteFacts['deposit']) => ({
  deposit_kind: deposit === undefined ? 'none' : 'percent' in deposit ? 'percent' : 'fixed',
  deposit_percent: deposit && 'percent' in deposit ? deposit.percent : null,
  deposit_amount: deposit && 'amount' in deposit ? deposit.amount : null,
})

export type InstituteRow = ReturnType<typeof instituteRow>
export const instituteRow = (facts: InstituteFacts) => ({
  id: facts.id,
  slug: facts.slug,
  owner_id: facts.ownerId ?? null,
  state: facts.state ?? 'published',
  claimed: facts.claimed ?? true,
  name: facts.name,
  description: facts.description ?? {},
  categories: facts.categories,
  email: facts.email ?? null,
  phone: facts.phone ?? null,
  website: null,
  address_line: facts.addressLine ?? '',
  quarter: facts.quarter ?? null,
  quarter_ar: facts.quarterAr ?? null,
  postal_code: facts.postalCode ?? null,
  city: facts.city,
  country_code: facts.countryCode,
  lat: facts.lat,
  lon: facts.lon,
  time_zone: facts.timeZone,
  currency: facts.currency,
  at_home: facts.atHomeRadiusKm !== undefined,
  at_home_radius_km: facts.atHomeRadiusKm ?? null,
  home_travel_minutes: 30,
  audience: facts.audience ?? ['All'],
  languages: facts.languages ?? ['English'],
  payment_methods: facts.paymentMethods ?? ['card'],
  pay_at_salon: facts.payAtSalon ?? true,
  ...depositColumns(facts.deposit),
  grid_minutes: facts.rules.gridMinutes,
  notice_minutes: facts.rules.noticeMinutes,
  horizon_days: facts.rules.horizonDays,
  max_wait_minutes: facts.rules.maxWaitMinutes,
  gap_policy: facts.rules.gapPolicy,
  service_order: facts.rules.serviceOrder,
  cancel_window_minutes: facts.rules.cancelWindowMinutes,
  reschedule_window_minutes: facts.rules.rescheduleWindowMinutes,
  /** What its reviews say: `rateInstitute`. */
  rating_count: 0,
  average_welcoming: null as number | null,
  average_hygiene: null as number | null,
  average_atmosphere: null as number | null,
  average_service_quality: null as number | null,
  created_at: facts.createdAt,
  published_at: facts.createdAt,
  /** Text of a tsvector; the index of free time writes it. */
  words: '',
})

/** Gives an institute the averages of its reviews; without any it has none. */
export function rateInstitute(row: InstituteRow, ratings: Ratings | undefined): void {
  row.rating_count = ratings?.count ?? 0
  row.average_welcoming = ratings?.welcoming ?? null
  row.average_hygiene = ratings?.hygiene ?? null
  row.average_atmosphere = ratings?.atmosphere ?? null
  row.average_service_quality = ratings?.serviceQuality ?? null
}

export type PictureRow = ReturnType<typeof pictureRow>
export const pictureRow = (facts: { id: string; instituteId: string; position: number; url: string; alt: LocalizedText }) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  position: facts.position,
  url: facts.url,
  alt: facts.alt,
})

export type OpeningRow = ReturnType<typeof openingRow>
export const openingRow = ({ instituteId, weekday, opensAt, closesAt }: { instituteId: string; weekday: number } & WallRange) => ({
  institute_id: instituteId,
  weekday,
  opens_at: opensAt,
  closes_at: closesAt,
})

export type ClosureRow = ReturnType<typeof closureRow>
export const closureRow = (facts: {
  id: string
  instituteId: string
  fromDay: string
  toDay: string
  /** Whole days when absent. */ part?: WallRange | null
  reason: LocalizedText
}) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  from_day: facts.fromDay,
  to_day: facts.toDay,
  opens_at: facts.part?.opensAt ?? null,
  closes_at: facts.part?.closesAt ?? null,
  reason: facts.reason,
})
