/** The setup of an institute: what its owner tells of it in six steps, published as a whole or not at all. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { depositRule } from './deposits.ts'
import { phone } from './session.ts'
import {
  audience,
  category,
  day,
  id,
  language,
  latitude,
  locales,
  longitude,
  paymentMethod,
  personName,
  priceKind,
  text,
  weekdays,
} from './wire.ts'

const wallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
/** An end may be midnight. */
const wallEnd = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/))

type Range = { opensAt: string; closesAt: string }

/** Ranges of a day end after they begin, and none runs into another. */
export const areApart = (ranges: readonly Range[]): boolean => {
  const inOrder = ranges.toSorted((a, b) => (a.opensAt < b.opensAt ? -1 : 1))
  return inOrder.every(({ opensAt, closesAt }, at) => opensAt < closesAt && (at === 0 || (inOrder[at - 1]?.closesAt ?? '') <= opensAt))
}

const apart = z.refine<readonly Range[]>(areApart, { error: 'overlap' })

/** Most ranges of one day. */
export const mostRanges = 4
const range = z.object({ opensAt: wallTime, closesAt: wallEnd })
const dayOfWeek = z.array(range).check(z.maxLength(mostRanges), apart)
const weekOf = <Day extends z.ZodMiniType>(day: Day) =>
  z.object({
    [weekdays[0]]: day,
    [weekdays[1]]: day,
    [weekdays[2]]: day,
    [weekdays[3]]: day,
    [weekdays[4]]: day,
    [weekdays[5]]: day,
    [weekdays[6]]: day,
  })

/** When an institute is open, by weekday; a closed day has no range. */
export const openingWeek = weekOf(dayOfWeek)
export type OpeningWeek = z.output<typeof openingWeek>

const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length
const distinct = z.refine<readonly unknown[]>(isDistinct, { error: 'invalid' })

/** Kilometres somebody may be visited away from the door. */
export const mostHomeKm = 200
/** Characters of the words about an institute. */
export const descriptionLength = 400

/** Who an institute is, where, when it is open and for whom. Its time zone and currency follow from where it is. */
export const instituteProfile = z.object({
  name: text(120),
  phone,
  description: text(descriptionLength, 0),
  categories: z.array(category).check(z.minLength(1), z.maxLength(14), distinct),
  address: z.object({
    line: text(200),
    quarter: text(120, 0),
    postalCode: text(20, 0),
    city: text(120),
    countryCode: z.string().check(z.regex(/^[A-Z]{2}$/)),
  }),
  location: z.object({ lat: latitude, lon: longitude }),
  openingHours: openingWeek,
  audience: z.array(audience).check(z.minLength(1), distinct),
  languages: z.array(language).check(z.minLength(1), distinct),
  /** How far somebody is visited at home; null when nobody is. */
  atHomeRadiusKm: z.nullable(z.int().check(z.gte(1), z.lte(mostHomeKm))),
})
export type InstituteProfile = z.output<typeof instituteProfile>

/** How an institute is paid, and what holds when plans change. Windows are minutes before the start; null: not online. */
export const paymentRules = z.object({
  paymentMethods: z.array(paymentMethod).check(distinct),
  payAtSalon: z.boolean(),
  deposit: depositRule,
  cancelWindowMinutes: z.nullable(z.int().check(z.gte(0), z.lte(43_200))),
  rescheduleWindowMinutes: z.nullable(z.int().check(z.gte(0), z.lte(43_200))),
})
export type PaymentRules = z.output<typeof paymentRules>

const minutes = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most), z.multipleOf(5))

/** By which a draft names what is in it, as the browser likes. */
const key = z.string().check(z.regex(/^[\w-]{1,60}$/))

/** Words in up to three languages. */
const words = (most: number) => {
  const one = z.optional(text(most, 0))
  return z.object({ en: one, fr: one, ar: one })
}
const named = words(120).check(z.refine((given) => locales.some((locale) => given[locale]), { error: 'required' }))

const service = z.object({
  /** By which the rest of the draft names it. */
  key,
  category,
  /** The group it stands in on the menu. */
  section: words(60),
  name: named,
  description: words(400),
  activeMinutes: minutes(5, 720),
  /** The client waits and the member is free; 0 where nobody does. */
  idleMinutes: minutes(0, 480),
  activeAfterMinutes: minutes(0, 720),
  bufferAfterMinutes: minutes(0, 240),
  /** Begins only once what comes before it in a visit is finished. */
  isSequential: z._default(z.boolean(), false),
  /** Years, on the day of the visit; null for any age. */
  minimumAge: z._default(z.nullable(z.int().check(z.gte(1), z.lte(99))), null),
  priceKind,
  /** Minor units; null exactly when it is on request. */
  priceAmount: z.nullable(z.int().check(z.gte(0), z.lte(100_000_000))),
  audience,
  /** Other services of the draft that must have been done before. */
  prerequisites: z
    .array(z.object({ key, minHours: z.int().check(z.gte(0), z.lte(8760)), maxMonths: z.int().check(z.gte(1), z.lte(60)) }))
    .check(z.maxLength(5)),
})
/** A service as the setup sends it: the idle part stands between two active ones. */
export const setupService = service.check(
  z.refine(({ idleMinutes, activeAfterMinutes }) => (idleMinutes === 0) === (activeAfterMinutes === 0), {
    path: ['activeAfterMinutes'],
    error: 'invalid',
  }),
  z.refine(({ priceKind, priceAmount }) => (priceKind === 'on_request') === (priceAmount === null), {
    path: ['priceAmount'],
    error: 'required',
  }),
)
export type SetupService = z.output<typeof setupService>

const shift = z.object({ opensAt: wallTime, closesAt: wallEnd, breaks: z.array(range).check(z.maxLength(4), apart) }).check(
  z.refine(({ opensAt, closesAt, breaks }) => breaks.every((one) => opensAt <= one.opensAt && one.closesAt <= closesAt), {
    path: ['breaks'],
    error: 'invalid',
  }),
)
/** The shifts of one week of somebody, by weekday. */
export const shiftWeek = weekOf(z.array(shift).check(z.maxLength(mostRanges), apart))
export type ShiftWeek = z.output<typeof shiftWeek>

/** A person as the setup sends them: their weeks repeat. */
export const setupMember = z.object({
  key,
  name: personName,
  title: text(80, 0),
  /** The owner themselves. */
  isMe: z.boolean(),
  languages: z.array(language).check(distinct),
  bookableOnline: z.boolean(),
  /** Keys of services. */
  services: z.array(key).check(z.maxLength(200), distinct),
  /** In the first of the weeks. */
  anchorDay: day,
  weeks: z.array(shiftWeek).check(z.minLength(1), z.maxLength(4)),
})
export type SetupMember = z.output<typeof setupMember>

/** Pictures of one institute. */
export const mostPictures = 12
/** Bytes of a picture that is sent. */
export const largestPicture = 10_000_000

const keysOf = (list: readonly { key: string }[]): Set<string> => new Set(list.map(({ key }) => key))

const draft = z.object({
  profile: instituteProfile,
  services: z.array(setupService).check(z.minLength(1), z.maxLength(200)),
  staff: z.array(setupMember).check(z.minLength(1), z.maxLength(50)),
  /** Ids of pictures that were sent; the first is the cover. */
  pictures: z.array(id).check(z.maxLength(mostPictures), distinct),
  logo: z.nullable(id),
  payment: paymentRules,
  /** A listed institute that this is: an operator decides whether it is theirs. */
  claims: z.nullable(id),
})

/** Everything the six steps tell. What names something else of it names something that is there. */
export const setupDraft = draft.check((context) => {
  const { services, staff, payment } = context.value
  const known = keysOf(services)
  const problem = (path: (string | number)[], message: string): void => {
    context.issues.push({ code: 'custom', input: context.value, path, message })
  }
  services.forEach(({ prerequisites, key: own }, at) => {
    const asked = prerequisites.map((one) => one.key)
    if (!isDistinct(asked) || !asked.every((one) => one !== own && known.has(one))) problem(['services', at, 'prerequisites'], 'invalid')
  })
  staff.forEach(({ services: does }, at) => {
    if (!does.every((one) => known.has(one))) problem(['staff', at, 'services'], 'invalid')
  })
  if (known.size < services.length) problem(['services'], 'invalid')
  if (keysOf(staff).size < staff.length) problem(['staff'], 'invalid')
  if (staff.filter(({ isMe }) => isMe).length > 1) problem(['staff'], 'invalid')
  if (payment.paymentMethods.length === 0 && !payment.payAtSalon) problem(['payment', 'paymentMethods'], 'required')
})
export type SetupDraft = z.output<typeof setupDraft>

const claim = z.object({
  _id: z.string(),
  instituteName: z.string(),
  state: z.enum(['waiting', 'refused']),
  /** Instant, ISO. */
  since: z.string(),
})

const listing = z.object({
  _id: z.string(),
  name: z.string(),
  categories: z.array(category),
  phone: z.nullable(z.string()),
  address: z.object({
    line: z.string(),
    quarter: z.nullable(z.string()),
    postalCode: z.nullable(z.string()),
    city: z.string(),
    countryCode: z.string(),
  }),
  location: z.object({ lat: z.number(), lon: z.number() }),
  openingHours: z.record(z.enum(weekdays), z.array(z.object({ opensAt: z.string(), closesAt: z.string() }))),
  /** Such as "© OpenStreetMap contributors". */
  attribution: z.string(),
})
export type SetupListing = z.output<typeof listing>

/** Calls of the wizard. All are for a professional who has no institute yet: 403 for others. */
export const setupCalls = defineCalls({
  publishInstitute: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/institute',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'Publish my institute with all the six steps told, or nothing of it; one that claims a listing waits for an operator',
    body: setupDraft,
    idempotent: true,
    status: 201,
    answer: z.object({
      state: z.enum(['published', 'waiting']),
      /** Null while a claim waits. */
      institute: z.nullable(z.object({ _id: z.string(), slug: z.string(), name: z.string() })),
    }),
    refusals: ['forbidden', 'has_institute', 'claim_waiting', 'idempotency_conflict'],
  },
  setupState: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/setup',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'Whether a claim of mine waits or was refused, and the present',
    answer: z.object({ claim: z.nullable(claim), now: z.string() }),
    refusals: ['forbidden'],
  },
  withdrawClaim: {
    method: 'DELETE',
    path: '/api/v1/secure/mysalon/setup/claim',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'Take my claim back, or put a refused one away',
    answer: z.object({}),
    refusals: ['forbidden'],
  },
  setupPlace: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/setup/place',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'What follows from a point, and from its country where that is said: town, time zone, currency, and today there',
    query: z.object({ lat: latitude, lon: longitude, countryCode: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/))) }),
    answer: z.object({
      city: z.string(),
      countryCode: z.string(),
      country: z.string(),
      timeZone: z.string(),
      currency: z.string(),
      today: z.string(),
    }),
    refusals: ['forbidden'],
  },
  setupListings: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/setup/listings',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'Listed institutes nobody manages yet, near a point and of a like name',
    query: z.object({ name: text(120), lat: latitude, lon: longitude }),
    answer: z.object({ items: z.array(listing) }),
    refusals: ['forbidden'],
  },
  sendSetupPicture: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/setup/pictures',
    access: { of: 'self', verified: true },
    tag: 'setup',
    summary: 'Send a picture or the logo, kept for thirty days unless it is published',
    body: z.object({ of: z._default(z.enum(['gallery', 'logo']), 'gallery') }),
    files: { picture: { most: 1, bytes: largestPicture } },
    status: 201,
    answer: z.object({ _id: z.string(), url: z.string(), width: z.int(), height: z.int() }),
    refusals: ['forbidden', 'too_large', 'wrong_type'],
  },
})
