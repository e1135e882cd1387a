/** Finding an institute and reading its page. Every time shown is bookable at the moment of the answer. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { place } from './places.ts'
import {
  freeTime,
  audience,
  category,
  day,
  flag,
  id,
  language,
  money,
  pageOf,
  pageQuery,
  paymentMethod,
  priceKind,
  searchText,
  venue,
  weekday,
} from './wire.ts'

/** Parts of a day on the institute's wall clock: before 12:00, 12:00–17:00, from 17:00. */
export const partsOfDay = ['morning', 'afternoon', 'evening'] as const
/** One part of a day. */
export const partOfDay = z.enum(partsOfDay)
export type PartOfDay = z.output<typeof partOfDay>

/** Orders of a search: `recommended` by the published formula, `nearest` to the point (recommended without one), `soonest` free (only institutes that have a time), best `rating`, lowest `price`. */
export const sortOrders = ['recommended', 'nearest', 'soonest', 'rating', 'price'] as const
/** One order of a search. */
export const sortOrder = z.enum(sortOrders)
export type SortOrder = z.output<typeof sortOrder>

/** A number of an address between two bounds: an empty parameter is refused, where coercion alone would read 0. */
const numberBetween = (least: number, most: number) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^[+-]?\d{1,9}(\.\d{1,17})?(e-\d{1,3})?$/))]),
    z.coerce.number<string | number>().check(z.gte(least), z.lte(most)),
  )
const degreesNorth = numberBetween(-90, 90)
const degreesEast = numberBetween(-180, 180)

/** All filters of the search; every one is in the address of `/institutes` under the same name. */
export const searchQuery = z.object({
  what: z.optional(searchText(120)),
  lat: z.optional(degreesNorth),
  lon: z.optional(degreesEast),
  /** Kilometres around the point; 25 when absent. */
  radiusKm: z.optional(numberBetween(0.1, 500)),
  /** Name of a place; used when no point is given, and shown. */
  place: z.optional(searchText(120)),
  /** Edges of a map area `west,south,east,north`; replaces the radius. */
  area: z.optional(z.string().check(z.maxLength(120), z.regex(/^-?\d{1,3}(\.\d+)?(,-?\d{1,3}(\.\d+)?){3}$/))),
  day: z.optional(day),
  part: z.optional(partOfDay),
  category: z.optional(category),
  audience: z.optional(audience),
  atHome: z.optional(flag),
  language: z.optional(language),
  /** Upper price of the asked (or cheapest) service in whole units of the institute's currency. */
  maxPrice: z.optional(numberBetween(0, 1_000_000)),
  minRating: z.optional(numberBetween(0, 5)),
  paymentMethod: z.optional(paymentMethod),
  openNow: z.optional(flag),
  sort: z._default(sortOrder, 'recommended'),
  ...pageQuery,
})
export type SearchQuery = z.output<typeof searchQuery>

const rating = z.object({ average: z.number(), count: z.int() })
const location = z.object({ lat: z.number(), lon: z.number() })

/** An institute on a card of a list. */
export const instituteCard = z.object({
  _id: z.string(),
  slug: z.string(),
  name: z.string(),
  categories: z.array(category),
  location,
  quarter: z.nullable(z.string()),
  city: z.string(),
  countryCode: z.string(),
  timeZone: z.string(),
  /** Kilometres from the asked point; null when none was asked. */
  distanceKm: z.nullable(z.number()),
  priceFrom: z.nullable(money),
  rating,
  claimed: z.boolean(),
  audience: z.array(audience),
  languages: z.array(language),
  atHome: z.boolean(),
  /** Path of the cover picture (a real picture, or cut-paper art). */
  coverUrl: z.string(),
  /** The service the times are for: the signature of the institute among those that were asked, or where it has no time then the one that is free earliest. */
  service: z.nullable(
    z.object({
      _id: z.string(),
      name: z.string(),
      durationMinutes: z.int(),
      /** The highest price, where `priceFrom` is the lowest; null when it is open above. */
      priceTo: z.optional(z.nullable(money)),
      /** The times are those of visits at the client's home, as was asked: the member is free for the way there and back. */
      atHome: z.optional(z.boolean()),
    }),
  ),
  /** The next free times in order, at most three. */
  nextTimes: z.array(z.object({ startsAt: z.string() })),
})
export type InstituteCard = z.output<typeof instituteCard>

/** What giving up a filter would bring is counted no further than this: it means so many or more. */
export const mostRelaxed = 100

/** Which filter to give up, by its name in the query (`place` stands for `place`, `lat`, `lon` and `radiusKm` together), and how many institutes would then be found, at most `mostRelaxed`. */
const relaxation = z.object({ filter: z.string(), total: z.int() })

const performer = z.object({
  staffId: z.string(),
  durationMinutes: z.int(),
  price: z.nullable(money),
  /** Costs more than the menu says: booked by name alone, never where anyone is asked for. */
  onlyByName: z.optional(z.literal(true)),
})

const service = z.object({
  _id: z.string(),
  category,
  section: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  durationMinutes: z.int(),
  price: z.nullable(money),
  priceKind,
  audience,
  /** Conditions in words, in the caller's language. */
  conditions: z.array(z.string()),
  /** Services of the menu to have had before, such as a patch test: booked ahead or past, from so long after its end on. Absent when none. */
  needs: z.optional(z.array(z.object({ serviceId: z.string(), minHours: z.int(), maxMonths: z.int() }))),
  /** Of a service given to groups: seats of a session. It is booked by itself, at the times of its sessions. */
  capacity: z.optional(z.int()),
  /** Members who perform it and can be booked online, with own price and duration where they differ; nobody where the price is on request. */
  performers: z.array(performer),
  /** In the salon when absent. */
  venue: z.optional(venue),
  /** Prices from a day on, the next first: what a visit on or after it pays that is booked from now on. Absent when none is known. */
  laterPrices: z.optional(z.array(z.object({ fromDay: z.string(), price: z.nullable(money), priceKind, performers: z.array(performer) }))),
})
export type Service = z.output<typeof service>

const member = z.object({
  _id: z.string(),
  name: z.string(),
  title: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  languages: z.array(language),
  /** Why somebody is away is the institute's own affair. */
  availability: z.enum(['available', 'away']),
  bookableOnline: z.boolean(),
  imageUrl: z.string(),
})
export type Member = z.output<typeof member>

/** Whose open data an unclaimed institute is made of, named as its licence asks. */
const listingSource = z.object({
  /** Such as "© OpenStreetMap contributors". */
  attribution: z.string(),
  attributionUrl: z.string(),
  licence: z.string(),
  licenceUrl: z.string(),
})

const instituteRules = z.object({
  /** Hours before the start until which cancelling online is free; null when it never is. */
  cancelWindowHours: z.nullable(z.number()),
  rescheduleWindowHours: z.nullable(z.number()),
  noticeMinutes: z.int(),
  horizonDays: z.int(),
  payAtSalon: z.boolean(),
})

const institute = z.object({
  _id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  categories: z.array(category),
  claimed: z.boolean(),
  /** Empty when its own people wrote what is here. */
  sources: z.array(listingSource),
  phone: z.nullable(z.string()),
  website: z.nullable(z.string()),
  address: z.object({
    line: z.string(),
    quarter: z.nullable(z.string()),
    postalCode: z.nullable(z.string()),
    city: z.string(),
    countryCode: z.string(),
    country: z.string(),
  }),
  location,
  timeZone: z.string(),
  currency: z.string(),
  atHome: z.boolean(),
  /** How far it comes to people's homes; absent where it does not. */
  atHomeRadiusKm: z.optional(z.int()),
  audience: z.array(audience),
  languages: z.array(language),
  paymentMethods: z.array(paymentMethod),
  openingHours: z.array(z.object({ weekday, ranges: z.array(z.object({ opensAt: z.string(), closesAt: z.string() })) })),
  /** Closed days ahead with their reason, at most the next ten. */
  closures: z.array(z.object({ fromDay: z.string(), toDay: z.string(), reason: z.nullable(z.string()) })),
  /** Wall time until which it is open now, or null when closed now. */
  openUntil: z.nullable(z.string()),
  pictures: z.array(z.object({ url: z.string(), alt: z.string() })),
  services: z.array(service),
  /** By the id of a service that is on the menu no more, the one that took its place: what booking an old visit again takes. Absent when there is none. */
  successors: z.optional(z.record(z.string(), z.string())),
  /** What those services were called. */
  formerNames: z.optional(z.record(z.string(), z.string())),
  team: z.array(member),
  rules: instituteRules,
  rating,
  averageWelcoming: z.nullable(z.number()),
  averageHygiene: z.nullable(z.number()),
  averageAtmosphere: z.nullable(z.number()),
  averageServiceQuality: z.nullable(z.number()),
})
export type Institute = z.output<typeof institute>

/** Search, page of one institute, and the home page; all public. */
export const instituteCalls = defineCalls({
  searchInstitutes: {
    method: 'GET',
    path: '/api/v1/client/institutes',
    access: 'public',
    tag: 'institutes',
    summary: 'Search by what, where and when, with the next free times of each',
    query: searchQuery,
    answer: z.extend(pageOf(instituteCard), {
      /** The point the distances are from, with a name to show. */
      origin: z.nullable(z.object({ name: z.nullable(z.string()), lat: z.number(), lon: z.number() })),
      /** What the name of the place was taken for; null without a name, with a point, and when nothing is enough like it. */
      place: z.nullable(place),
      /** What else the name may mean, at most three. */
      otherPlaces: z.array(place),
      /** How many of all are only listed from open data and not bookable; absent from answers of releases before it was told. */
      listed: z.optional(z.int()),
      /** Words of `what` that nothing answers together with the others: what is found answers the rest. */
      leftOut: z.optional(z.array(z.string())),
      /** Only when nothing was found, and where it is known where that is: the zone and the currency there, which no card says then. */
      local: z.optional(z.object({ timeZone: z.string(), currency: z.string() })),
      /** Only when nothing was found: filters worth relaxing, most helpful first. */
      relax: z.array(relaxation),
    }),
  },
  institute: {
    method: 'GET',
    path: '/api/v1/client/institutes/:slug',
    access: 'public',
    tag: 'institutes',
    summary: 'One institute with services, team and hours',
    params: z.object({ slug: z.string().check(z.minLength(1), z.maxLength(120)) }),
    answer: institute,
  },
  home: {
    method: 'GET',
    path: '/api/v1/client/home',
    access: 'public',
    tag: 'institutes',
    summary: 'What the home page shows: institutes free today and gaps of the next two hours near a point',
    query: z.object({ lat: z.optional(degreesNorth), lon: z.optional(degreesEast) }),
    answer: z.object({
      place: z.object({ name: z.string(), lat: z.number(), lon: z.number() }),
      /** Institutes with free times today, nearest first, at most eight. */
      freeToday: z.array(instituteCard),
      /** While none is free today: those free on the next day that any is, nearest first, at most eight. */
      freeNext: z.array(instituteCard),
      /** Real gaps within the next two hours (or the next ones, with `withinTwoHours` false), at most five. */
      gaps: z.array(
        z.object({
          startsAt: z.string(),
          timeZone: z.string(),
          institute: z.object({ _id: z.string(), slug: z.string(), name: z.string(), quarter: z.nullable(z.string()) }),
          service: z.object({ _id: z.string(), name: z.string(), durationMinutes: z.int(), price: z.nullable(money) }),
          staff: z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() }),
        }),
      ),
      withinTwoHours: z.boolean(),
      /** The next free time of today for each category that has one, with a treatment of that category; soonest first. */
      windows: z.array(
        z.object({
          category,
          startsAt: z.string(),
          timeZone: z.string(),
          institute: z.object({ slug: z.string(), name: z.string() }),
          service: z.object({ _id: z.string(), name: z.string(), price: z.nullable(money), priceTo: z.nullable(money) }),
        }),
      ),
    }),
  },
})

/** A cart of services and the days to look at, on the institute's calendar; days gone by are empty. */
export const availabilityQuery = z.object({
  /** Services in order, repeated. */
  service: z.union([id, z.array(id).check(z.minLength(1), z.maxLength(8))]),
  /** Members matched by position; `any` allowed; one value holds for all; absent means any. */
  staff: z.optional(z.union([z.literal('any'), id, z.array(z.union([z.literal('any'), id])).check(z.maxLength(8))])),
  from: z.optional(day),
  days: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(31)), 7),
  /** At the client's home. What is done nowhere else is so without it. */
  atHome: z.optional(flag),
})

/** Free starts of one institute, true at the moment of the answer; 404 for ids that are not of its menu or team, `not_bookable` when it is only listed. */
export const availabilityCalls = defineCalls({
  availability: {
    method: 'GET',
    path: '/api/v1/client/institutes/:id/availability',
    access: 'public',
    tag: 'availability',
    summary: 'Free starts for a cart of services, day by day',
    params: z.object({ id }),
    query: availabilityQuery,
    answer: z.object({
      timeZone: z.string(),
      days: z.array(
        z.object({
          day: z.string(),
          times: z.array(freeTime),
          /** Starts inside the opening hours that are taken already, so that a day shows how busy it is. */
          taken: z.array(z.string()),
        }),
      ),
    }),
    refusals: ['not_bookable', 'price_on_request', 'not_at_home'],
  },
  monthMap: {
    method: 'GET',
    path: '/api/v1/client/institutes/:id/availability/month',
    access: 'public',
    tag: 'availability',
    summary: 'Which days of a month have room for a cart of services',
    params: z.object({ id }),
    query: z.object({
      service: availabilityQuery.shape.service,
      staff: availabilityQuery.shape.staff,
      atHome: availabilityQuery.shape.atHome,
      month: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/)),
    }),
    answer: z.object({ timeZone: z.string(), days: z.array(z.object({ day: z.string(), hasRoom: z.boolean() })) }),
    refusals: ['not_bookable', 'price_on_request', 'not_at_home'],
  },
  nextTimes: {
    method: 'GET',
    path: '/api/v1/client/institutes/:id/availability/next',
    access: 'public',
    tag: 'availability',
    summary: 'The next free starts for a cart of services, from now or from a day on',
    params: z.object({ id }),
    query: z.object({
      /** Absent: whichever service is free earliest. */
      service: z.optional(availabilityQuery.shape.service),
      staff: availabilityQuery.shape.staff,
      atHome: availabilityQuery.shape.atHome,
      from: z.optional(day),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 3),
    }),
    answer: z.object({
      timeZone: z.string(),
      times: z.array(freeTime),
      /** The services the times are of; absent from answers of releases before it was told. */
      services: z.optional(z.array(z.string())),
    }),
    refusals: ['not_bookable', 'price_on_request', 'not_at_home'],
  },
})
