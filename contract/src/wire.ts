/** Building blocks of the wire: ids, days, instants, money, localised words and lists. */
import * as z from 'zod/mini'

const wellFormed = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Free text, trimmed, 1…max characters, without NUL or broken surrogates. */
export const text = (max: number, min = 1) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.refine(wellFormed, { error: 'invalid' }))

/** The name of a person on one line. Marks that turn the direction of what stands around them are no part of a name. */
export const personName = text(80).check(z.regex(/^[^\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]*$/u))

/** A search word: may be empty. */
export const searchText = (max: number) => text(max, 0)

/** UUID of a stored thing. */
export const id = z.uuid()

/** Yes or no in a query. */
export const flag = z.enum(['true', 'false'])

/** Calendar date `YYYY-MM-DD` in the institute's zone, years 2000–2099. */
export const day = z.iso.date().check(z.regex(/^20\d\d-/))

/** Instant with offset, ISO 8601, years 2000–2099; the server bounds it again where it matters. */
export const instant = z.iso.datetime({ offset: true }).check(z.regex(/^20\d\d-/), z.maxLength(40))

/** Email address as typed; the server compares it without regard to case. */
export const email = z.string().check(z.trim(), z.maxLength(254), z.email(), z.refine(wellFormed, { error: 'invalid' }))

/** Role of an account. */
export const role = z.enum(['isClient', 'isPro'])
export type Role = z.output<typeof role>

/** Interface languages. */
export const locales = ['en', 'fr', 'ar'] as const
/** `en`, `fr` or `ar`. */
export type Locale = (typeof locales)[number]

/** The fourteen service categories, in the order of the specification. */
export const categories = [
  'barbering',
  'massage',
  'body',
  'counseling',
  'fillers',
  'nails',
  'skincare',
  'fitness',
  'eyebrows',
  'tatto',
  'medical',
  'hair',
  'hair-removal',
  'makeup',
] as const
/** Schema of a category. */
export const category = z.enum(categories)
export type Category = z.output<typeof category>

/** Whom an institute or a service is for. */
export const audiences = ['All', 'Men', 'Woman', 'Kids'] as const
/** Schema of an audience. */
export const audience = z.enum(audiences)
export type Audience = z.output<typeof audience>

/** Languages spoken at an institute. */
export const languages = ['English', 'French', 'Arabic', 'Other'] as const
/** Schema of a spoken language. */
export const language = z.enum(languages)
export type Language = z.output<typeof language>

/** Days of the week in English, Monday first. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** Schema of a weekday. */
export const weekday = z.enum(weekdays)
export type Weekday = z.output<typeof weekday>

/** Ways to pay online, in the order offered. */
export const paymentMethods = ['card', 'paypal', 'klarna'] as const
/** Schema of a payment method. */
export const paymentMethod = z.enum(paymentMethods)
export type PaymentMethod = z.output<typeof paymentMethod>

/** Why a client's bank takes money back: it was not they who paid, they got nothing, it was not what they were told, it was taken twice, or was to go back. */
export const disputeReasons = ['not_theirs', 'not_received', 'not_as_told', 'twice', 'not_returned'] as const

/** Why a provider refuses to give money back: the card is lost or closed, the institute has too little there, the payment is disputed, the client's bank declined, or the account that took it is connected to this site no more. */
export const refundRefusals = ['card_gone', 'no_balance', 'disputed', 'declined', 'disconnected'] as const
/** One of these reasons. */
export type RefundRefusal = (typeof refundRefusals)[number]

/** How far a payout to the bank is. */
export const payoutStates = ['coming', 'paid', 'failed', 'cancelled'] as const
/** Why a bank takes no payout: the account is closed or was never there, it is blocked, it is somebody else's, or the bank declined. */
export const payoutProblems = ['account_gone', 'account_blocked', 'other_owner', 'declined'] as const
/** What a payout is made up of; `fee`: kept by the provider apart from any payment. */
export const payoutMoveKinds = ['payment', 'refund', 'dispute', 'fee', 'other'] as const

/** Where a service is done: in the salon, at the client's home, or either. */
export const venues = ['salon', 'home', 'either'] as const
/** Schema of where a service is done. */
export const venue = z.enum(venues)
export type Venue = z.output<typeof venue>

/** What the price of a service says: exactly this, at least this, or nothing before somebody was asked. */
export const priceKind = z.enum(['fixed', 'from', 'on_request'])
export type PriceKind = z.output<typeof priceKind>

/** Whether a team member is there: their diary is closed while away. */
export const availabilities = ['available', 'on_holiday', 'sick_leave'] as const

/** Durations offered as presets when a service is made, minutes. */
export const durationPresets = [20, 40, 60, 80, 100] as const

/** Integer minor units of an ISO 4217 currency (cents for EUR, millimes for TND). */
export const money = z.object({ amount: z.int(), currency: z.string() })
export type Money = z.output<typeof money>

/** Sizes a list page may have. */
export const pageSizes = [10, 20, 30, 40, 50] as const
/** Query of a list: page from 1, page size one of `pageSizes`. */
export const pageQuery = {
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), 1),
  pageSize: z._default(
    z.coerce.number().check(z.refine((n) => (pageSizes as readonly number[]).includes(n), { error: 'one_of:10,20,30,40,50' })),
    10,
  ),
}

/** A page of a list; `total` counts all pages. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), page: z.int(), pageSize: z.int(), total: z.int() })

/** A query parameter that may be repeated. */
export const repeated = <T extends z.ZodMiniType>(item: T, max: number) => z.union([item, z.array(item).check(z.maxLength(max))])

/** A free start with the end it leads to; of group sessions with the seats that are left. */
export const freeTime = z.object({ startsAt: z.string(), endsAt: z.string(), seatsLeft: z.optional(z.int()) })
export type FreeTime = z.output<typeof freeTime>

/** Success in words, in the caller's language. */
export const message = z.object({ message: z.string() })

/** Degrees north, −90…90. */
export const latitude = z.coerce.number().check(z.gte(-90), z.lte(90))
/** Degrees east, −180…180. */
export const longitude = z.coerce.number().check(z.gte(-180), z.lte(180))
