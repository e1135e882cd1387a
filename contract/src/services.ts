/** The menu of an institute, as its own people read and change it. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { depositRule } from './deposits.ts'
import { audience, category, day, id, locales, message, priceKind, text, venue } from './wire.ts'

/** Most services of one menu, archived ones not counted. */
export const mostMenuServices = 300
/** Characters of a name, of a group, and of the few words below a name. */
export const serviceTextLengths = { name: 120, section: 60, description: 400 } as const
/** Minutes of a service and of what is kept free around it come in steps of these. */
export const minuteStep = 5

const wordsOf = (max: number) => {
  const one = z.optional(text(max, 0))
  return z.object({ en: one, fr: one, ar: one })
}
/** Words in up to three languages; which of them there are is the institute's affair. */
export type Words = { [locale in (typeof locales)[number]]?: string | undefined }

/** Words in at least one language; a client whose own is missing reads another. */
const name = wordsOf(serviceTextLengths.name).check(z.refine((words) => locales.some((locale) => words[locale]), { error: 'required' }))
/** A group that has a name keeps one. */
const groupName = wordsOf(serviceTextLengths.section).check(
  z.refine((words) => locales.some((locale) => words[locale]), { error: 'required' }),
)
const minutes = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most), z.multipleOf(minuteStep))
/** Minor units of the institute's currency. */
const amount = z.int().check(z.gte(0), z.lte(1_000_000_000))

/** Another service that somebody must have had before, such as a patch test. */
const prerequisite = z.object({
  serviceId: id,
  minHours: z.int().check(z.gte(0), z.lte(8760)),
  maxMonths: z.int().check(z.gte(1), z.lte(60)),
})

/** Who performs it; their own minutes and price only where they differ from the menu's. */
const performer = z.object({
  staffId: id,
  minutes: z.nullable(
    z.object({ activeMinutes: minutes(5, 720), idleMinutes: minutes(0, 480), activeAfterMinutes: minutes(0, 720) }).check(
      z.refine(({ idleMinutes, activeAfterMinutes }) => (idleMinutes === 0) === (activeAfterMinutes === 0), {
        path: ['activeAfterMinutes'],
        error: 'invalid',
      }),
    ),
  ),
  priceAmount: z.nullable(amount),
})

/** A price from a day on: visits on or after it that are booked from now on pay it, what is booked keeps its own. */
const laterPrice = z.object({ fromDay: day, priceKind: z.enum(['fixed', 'from']), priceAmount: amount })
/** Most prices that are dated ahead for one service. */
export const mostLaterPrices = 6

/** A service as it is written: in the dashboard, and in the wizard before there is an institute. */
export const serviceInput = z
  .object({
    category,
    /** The group it stands in on the menu; none when there are no words. */
    section: z._default(wordsOf(serviceTextLengths.section), {}),
    name,
    description: z._default(wordsOf(serviceTextLengths.description), {}),
    /** At work, waiting with free hands, at work again; the last two both or neither. */
    activeMinutes: minutes(5, 720),
    idleMinutes: z._default(minutes(0, 480), 0),
    activeAfterMinutes: z._default(minutes(0, 720), 0),
    /** Kept free before and after; the client never sees it. */
    bufferBeforeMinutes: z._default(minutes(0, 240), 0),
    bufferAfterMinutes: z._default(minutes(0, 240), 0),
    /** Begins only once what comes before it in a visit is finished; otherwise it may stand in a waiting part of it. */
    isSequential: z._default(z.boolean(), false),
    priceKind: z._default(priceKind, 'fixed'),
    /** Not asked where the price is on request. */
    priceAmount: z.nullable(amount),
    /** Asked for beforehand in place of what the institute asks for; null: that. */
    deposit: z._default(z.nullable(depositRule), null),
    audience: z._default(audience, 'All'),
    /** Wall time after which it does not begin. */
    latestStart: z._default(z.nullable(z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))), null),
    /** Instead of the institute's own notice. */
    noticeMinutes: z._default(z.nullable(z.int().check(z.gte(0), z.lte(43_200))), null),
    minimumAge: z._default(z.nullable(z.int().check(z.gte(1), z.lte(99))), null),
    prerequisites: z._default(z.array(prerequisite).check(z.maxLength(5)), []),
    /** Seats of a service given to groups. */
    capacity: z._default(z.nullable(z.int().check(z.gte(2), z.lte(100))), null),
    /** What it takes a room, chair or machine of; assigned by itself. */
    resourceType: z._default(z.nullable(text(60)), null),
    /** Groups meet in the salon. */
    venue: z._default(venue, 'salon'),
    active: z._default(z.boolean(), true),
    /** What the institute is shown with; one of its services at most. */
    isSignature: z._default(z.boolean(), false),
    /** Left out: of a new service everybody of the team, of one that is there whoever performed it. */
    performers: z.optional(z.array(performer).check(z.maxLength(100))),
    /** Left out: as they are. */
    laterPrices: z.optional(z.array(laterPrice).check(z.maxLength(mostLaterPrices))),
  })
  .check(
    z.refine(({ priceKind: kind, priceAmount }) => kind === 'on_request' || priceAmount !== null, {
      path: ['priceAmount'],
      error: 'required',
    }),
    z.refine(({ idleMinutes, activeAfterMinutes }) => (idleMinutes === 0) === (activeAfterMinutes === 0), {
      path: ['activeAfterMinutes'],
      error: 'invalid',
    }),
    z.refine(({ venue: where, capacity }) => where === 'salon' || capacity === null, { path: ['venue'], error: 'invalid' }),
  )
/** A service as it is stored. */
export type ServiceInput = z.output<typeof serviceInput>
/** A service as it is sent: what has an ordinary value may be left out. */
export type ServiceSent = z.input<typeof serviceInput>

const words = z.object({ en: z.optional(z.string()), fr: z.optional(z.string()), ar: z.optional(z.string()) })
const wordsOut = {
  section: words,
  name: words,
  description: words,
}
const partsOut = { activeMinutes: z.int(), idleMinutes: z.int(), activeAfterMinutes: z.int() }

const menuService = z.object({
  _id: z.string(),
  category,
  ...wordsOut,
  ...partsOut,
  bufferBeforeMinutes: z.int(),
  bufferAfterMinutes: z.int(),
  isSequential: z.boolean(),
  priceKind,
  priceAmount: z.nullable(z.int()),
  deposit: z.nullable(depositRule),
  audience,
  latestStart: z.nullable(z.string()),
  noticeMinutes: z.nullable(z.int()),
  minimumAge: z.nullable(z.int()),
  prerequisites: z.array(z.object({ serviceId: z.string(), minHours: z.int(), maxMonths: z.int() })),
  capacity: z.nullable(z.int()),
  resourceType: z.nullable(z.string()),
  venue,
  active: z.boolean(),
  isSignature: z.boolean(),
  performers: z.array(z.object({ staffId: z.string(), minutes: z.nullable(z.object(partsOut)), priceAmount: z.nullable(z.int()) })),
  laterPrices: z.array(z.object({ fromDay: z.string(), priceKind: z.enum(['fixed', 'from']), priceAmount: z.int() })),
  /** No longer on the menu, kept for the visits that were booked with it. */
  archivedAt: z.nullable(z.string()),
  /** What "book again" takes instead of an archived one. */
  successorId: z.nullable(z.string()),
  /** Visits to come that are booked with it. */
  comingVisits: z.int(),
})
/** A service with all that its institute knows of it. */
export type MenuService = z.output<typeof menuService>

const menu = z.object({
  /** In the order of the menu, then those that were archived. */
  items: z.array(menuService),
  slug: z.string(),
  currency: z.string(),
  timeZone: z.string(),
  /** Today on the institute's calendar. */
  today: z.string(),
  categories: z.array(category),
  /** Who could perform a service, in the order of the team. */
  team: z.array(z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() })),
  /** Whether it comes to people's homes; without it no service is done there. */
  comesHome: z.boolean(),
  /** Types of rooms, chairs and machines, with how many there are of each. */
  resourceTypes: z.array(z.object({ type: z.string(), count: z.int() })),
})
/** The menu with what a service can be made of. */
export type Menu = z.output<typeof menu>

const starter = z.object({
  /** What others of the same list call it. */
  key: z.string(),
  category,
  ...wordsOut,
  ...partsOut,
  bufferAfterMinutes: z.int(),
  isSequential: z.boolean(),
  audience,
  minimumAge: z.nullable(z.int()),
  prerequisites: z.array(z.object({ key: z.string(), minHours: z.int(), maxMonths: z.int() })),
})
/** A service that many institutes of a category begin with. It has no price: that is the institute's to say. */
export type Starter = z.output<typeof starter>

const access = { of: 'institute', may: 'services.change' } as const
const params = z.object({ id })

/** Reading, writing, ordering and archiving what an institute offers. */
export const serviceCalls = defineCalls({
  services: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/services',
    access,
    tag: 'services',
    summary: 'The whole menu, in its order, with what a service can be made of',
    answer: menu,
  },
  serviceStarters: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/services/starters',
    access: { of: 'self' },
    tag: 'services',
    summary: 'What many institutes of a category begin with, without prices; for new owners too',
    query: z.object({ category }),
    answer: z.object({ items: z.array(starter) }),
  },
  addService: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/services',
    access,
    tag: 'services',
    summary: 'Put a service on the menu, at its end; without performers everybody of the team performs it',
    body: serviceInput,
    idempotent: true,
    status: 201,
    answer: menuService,
    refusals: ['menu_full', 'not_at_home'],
  },
  orderServices: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/services/order',
    access,
    tag: 'services',
    summary: 'Put the menu in this order; services that are not named follow as they were',
    body: z.object({ serviceIds: z.array(id).check(z.minLength(1), z.maxLength(mostMenuServices)) }),
    answer: message,
  },
  renameGroup: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/services/group',
    access,
    tag: 'services',
    summary: 'Call a group of the menu otherwise; every service in it follows, archived ones too',
    body: z.object({
      /** Its words as they stand. */
      section: wordsOf(serviceTextLengths.section),
      to: groupName,
    }),
    answer: message,
  },
  changeService: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/services/:id',
    access,
    tag: 'services',
    summary: 'Write a service anew; visits that are booked keep what was agreed. An archived one that is active comes back to the menu',
    params,
    body: serviceInput,
    answer: menuService,
    refusals: ['not_at_home', 'condition_circle'],
  },
  removeService: {
    method: 'DELETE',
    path: '/api/v1/secure/mysalon/services/:id',
    access,
    tag: 'services',
    summary:
      'Take a service off the menu: one that was never booked is deleted, any other archived. Visits stay; "book again" takes the successor',
    params,
    query: z.object({ successorId: z.optional(id) }),
    answer: z.object({ outcome: z.enum(['deleted', 'archived']), comingVisits: z.int() }),
    refusals: ['service_required'],
  },
})
