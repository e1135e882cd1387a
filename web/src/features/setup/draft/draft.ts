// What the professional has told us of the institute so far; kept on this device until it is published.
import type { TypedDeposit } from '#/deposit.ts'
import type { Audience, Category, Language, Locale, PaymentMethod, PriceKind, Weekday } from '@soigne/contract/wire'
import { readStored, storageKeys, writeStored } from '#/platform/storage.ts'
import { repairedDraft } from './draft-repair.ts'

/** Wall times such as 09:00. */
export type OpeningRange = { opensAt: string; closesAt: string }
export type OpeningHours = Record<Weekday, OpeningRange[]>
export type Shift = OpeningRange & { breaks: OpeningRange[] }
export type ShiftWeek = Record<Weekday, Shift[]>
export type Words = Partial<Record<Locale, string>>

export type DraftPlace = {
  /** The town, as its address says it. */
  name: string
  lat: number
  lon: number
  timeZone: string
  countryCode: string
  currency: string
}

/** What is typed stays as it was typed, half a price too. */
export type DraftService = {
  key: string
  category: Category
  section: Words
  name: Words
  description: Words
  /** Minutes at work, waiting, at work again, and kept free after. */
  active: string
  idle: string
  after: string
  buffer: string
  /** Begins only once what comes before it in a visit is finished. */
  isSequential: boolean
  /** Years; empty for any age. */
  minimumAge: string
  priceKind: PriceKind
  price: string
  audience: Audience
  prerequisites: { key: string; minHours: number; maxMonths: number }[]
}

export type DraftMember = {
  key: string
  name: string
  title: string
  isMe: boolean
  languages: Language[]
  bookableOnline: boolean
  /** Keys of services they do not perform. */
  skips: string[]
  /** As the institute is open, or in weeks of their own. */
  hours: 'salon' | 'own'
  /** The Monday on which the first of their weeks begins; empty until they have any. */
  anchorDay: string
  weeks: ShiftWeek[]
}

export type DraftPicture = { id: string; url: string; width: number; height: number }

export type SetupDraft = {
  /** Id of the professional it belongs to. */
  _id: string
  /** 0 to 5. */
  step: number
  name: string
  phone: string
  description: string
  categories: Category[]
  address: string
  quarter: string
  postalCode: string
  place: DraftPlace | null
  /** A listed institute that this is. */
  claims: { id: string; name: string } | null
  openingHours: OpeningHours
  atHomeService: boolean
  atHomeRadiusKm: string
  clientType: Audience[]
  offeredLanguages: Language[]
  services: DraftService[]
  staff: DraftMember[]
  logo: DraftPicture | null
  pictures: DraftPicture[]
  paymentMethods: PaymentMethod[]
  deposit: TypedDeposit
  /** Minutes before the start; null: not online. */
  cancelWindow: number | null
  rescheduleWindow: number | null
}

export const stepNames = ['general', 'services', 'team', 'gallery', 'payment', 'review'] as const
export type StepName = (typeof stepNames)[number]

const emptyWeek = <Range>(): Record<Weekday, Range[]> => ({
  Monday: [],
  Tuesday: [],
  Wednesday: [],
  Thursday: [],
  Friday: [],
  Saturday: [],
  Sunday: [],
})
export const closedWeek = (): OpeningHours => emptyWeek()
export const freeWeek = (): ShiftWeek => emptyWeek()

export function initialDraft(userId: string): SetupDraft {
  return {
    _id: userId,
    step: 0,
    name: '',
    phone: '',
    description: '',
    categories: [],
    address: '',
    quarter: '',
    postalCode: '',
    place: null,
    claims: null,
    openingHours: closedWeek(),
    atHomeService: false,
    atHomeRadiusKm: '5',
    clientType: ['All'],
    offeredLanguages: ['English'],
    services: [],
    staff: [],
    logo: null,
    pictures: [],
    paymentMethods: ['card'],
    deposit: { kind: 'none', amount: '', percent: '30' },
    cancelWindow: 1440,
    rescheduleWindow: 120,
  }
}

/** The stored draft of this person; null where there is none, or another person's. */
export function storedDraft(userId: string): SetupDraft | null {
  try {
    const stored: unknown = JSON.parse(readStored(storageKeys.setupDraft) ?? 'null')
    return repairedDraft(stored, initialDraft(userId))
  } catch {
    return null
  }
}

/** The stored draft of this person, or a new one. */
export const readDraft = (userId: string): SetupDraft => storedDraft(userId) ?? initialDraft(userId)

export function keepDraft(draft: SetupDraft): void {
  writeStored(storageKeys.setupDraft, JSON.stringify(draft))
}

/** A name for something new of the draft. */
export const newKey = (): string => crypto.randomUUID()
