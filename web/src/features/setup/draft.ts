// What the professional has told us of the institute so far; kept on this device until it is published.
import type { Audience, Category, Language, PaymentMethod, Weekday } from '@soigne/contract/wire'
import { audiences, categories, languages, weekdays } from '#/contract/closed-lists.ts'
import { readStored, storageKeys, writeStored } from '#/platform/storage.ts'

/** Wall times such as 09:00. */
export type OpeningRange = { opensAt: string; closesAt: string }
export type OpeningHours = Record<Weekday, OpeningRange[]>
export type DraftPlace = { name: string; lat: number; lon: number; timeZone: string; countryCode: string }

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
  place: DraftPlace | null
  openingHours: OpeningHours
  atHomeService: boolean
  clientType: Audience[]
  offeredLanguages: Language[]
  services: unknown[]
  staff: unknown[]
  logo: string | null
  paymentMethods: PaymentMethod[]
}

export const stepNames = ['general', 'services', 'team', 'gallery', 'payment', 'review'] as const

function closedWeek(): OpeningHours {
  return { Monday: [], Tuesday: [], Wednesday: [], Thursday: [], Friday: [], Saturday: [], Sunday: [] }
}

export function initialDraft(userId: string): SetupDraft {
  return {
    _id: userId,
    step: 0,
    name: '',
    phone: '',
    description: '',
    categories: [],
    address: '',
    place: null,
    openingHours: closedWeek(),
    atHomeService: false,
    clientType: ['All'],
    offeredLanguages: ['English'],
    services: [],
    staff: [],
    logo: null,
    paymentMethods: ['card'],
  }
}

type Stored = Record<string, unknown>

function isRecord(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf<Item extends string>(value: unknown, known: readonly Item[], otherwise: Item[]): Item[] {
  return Array.isArray(value) ? known.filter((item) => value.includes(item)) : otherwise
}

function rangesOf(value: unknown): OpeningRange[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((range) => ({
    opensAt: textOf(range['opensAt']),
    closesAt: textOf(range['closesAt']),
  }))
}

function hoursOf(value: unknown): OpeningHours {
  const stored = isRecord(value) ? value : {}
  const hours = closedWeek()
  for (const weekday of weekdays) hours[weekday] = rangesOf(stored[weekday])
  return hours
}

function placeOf(value: unknown): DraftPlace | null {
  if (!isRecord(value)) return null
  const { lat, lon } = value
  if (typeof lat !== 'number' || typeof lon !== 'number') return null
  return {
    name: textOf(value['name']),
    lat,
    lon,
    timeZone: textOf(value['timeZone']),
    countryCode: textOf(value['countryCode']),
  }
}

function stepOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) ? Math.min(5, Math.max(0, value)) : 0
}

/** Reads field by field what an older version, or somebody's hand, may have stored. */
function repaired(stored: Stored, initial: SetupDraft): SetupDraft {
  return {
    ...initial,
    step: stepOf(stored['step']),
    name: textOf(stored['name']),
    phone: textOf(stored['phone']),
    description: textOf(stored['description']),
    categories: listOf(stored['categories'], categories, []),
    address: textOf(stored['address']),
    place: placeOf(stored['place']),
    openingHours: hoursOf(stored['openingHours']),
    atHomeService: stored['atHomeService'] === true,
    clientType: listOf(stored['clientType'], audiences, initial.clientType),
    offeredLanguages: listOf(stored['offeredLanguages'], languages, initial.offeredLanguages),
    services: Array.isArray(stored['services']) ? stored['services'] : [],
    staff: Array.isArray(stored['staff']) ? stored['staff'] : [],
    logo: typeof stored['logo'] === 'string' ? stored['logo'] : null,
    paymentMethods: listOf(stored['paymentMethods'], ['card', 'paypal', 'klarna'], initial.paymentMethods),
  }
}

/** The stored draft of this person, or a new one; another person's draft is not shown. */
export function readDraft(userId: string): SetupDraft {
  const initial = initialDraft(userId)
  try {
    const stored: unknown = JSON.parse(readStored(storageKeys.setupDraft) ?? 'null')
    return isRecord(stored) && stored['_id'] === userId ? repaired(stored, initial) : initial
  } catch {
    return initial
  }
}

export function keepDraft(draft: SetupDraft): void {
  writeStored(storageKeys.setupDraft, JSON.stringify(draft))
}
