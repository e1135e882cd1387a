/** What an institute sets about itself: profile, hours, rules and payments; the days it is closed; who may do what; what it takes with it. */
import * as z from 'zod/mini'
import { permissions } from './access.ts'
import { defineCalls } from './define.ts'
import { depositRule } from './deposits.ts'
import { levels } from './members.ts'
import { teamChoicesPart, teamNotifications } from './notifications.ts'
import { paymentAccount } from './payment-accounts.ts'
import { phone } from './session.ts'
import { audience, category, day, email, id, language, locales, message, paymentMethod, text, weekday, weekdays } from './wire.ts'

const wallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
/** An end may be midnight, or after it: `26:00` is two o'clock of the night that began on the day. */
const wallEnd = z.string().check(z.regex(/^([0-3]\d|4[0-7]):[0-5]\d$|^48:00$/))
const range = z.object({ opensAt: wallTime, closesAt: wallEnd })
type Range = z.output<typeof range>

const areApart = (ranges: readonly Range[]): boolean => {
  const inOrder = ranges.toSorted((a, b) => (a.opensAt < b.opensAt ? -1 : 1))
  return inOrder.every(({ opensAt, closesAt }, at) => opensAt < closesAt && (at === 0 || (inOrder[at - 1]?.closesAt ?? '') <= opensAt))
}

/** Most ranges of one day. */
export const mostRangesOfDay = 4
const hoursOfDay = z.object({
  weekday,
  ranges: z.array(range).check(z.maxLength(mostRangesOfDay), z.refine(areApart, { error: 'overlap' })),
})
/** The opening hours of a usual week. */
export const hoursPart = z
  .array(hoursOfDay)
  .check(z.refine((days) => days.length === 7 && weekdays.every((one, at) => days[at]?.weekday === one), { error: 'invalid' }))

const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length
const several = <T extends z.ZodMiniType>(item: T, least = 1) =>
  z.array(item).check(z.minLength(least), z.refine(isDistinct, { error: 'invalid' }))

/** Characters of the words about an institute, in one language. */
export const longestDescription = 2000
const description = z.object({
  [locales[0]]: z.optional(text(longestDescription, 0)),
  [locales[1]]: z.optional(text(longestDescription, 0)),
  [locales[2]]: z.optional(text(longestDescription, 0)),
})

/** Empty, or an address of the web with its scheme. */
const website = z.string().check(
  z.trim(),
  z.maxLength(300),
  z.refine((value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)), { error: 'invalid' }),
)
const radius = z.int().check(z.gte(1), z.lte(200))
/** Most minutes of the way to a client. */
export const longestTravelMinutes = 240

/** Who an institute is, as its form sends it. Empty texts take away what was there. */
export const profilePart = z.object({
  name: text(120),
  description,
  email: z.union([email, z.literal('')]),
  phone,
  website,
  addressLine: text(200, 0),
  postalCode: text(20, 0),
  categories: several(category),
  audience: several(audience),
  languages: several(language),
  atHome: z.boolean(),
  atHomeRadiusKm: z.nullable(radius),
  /** Kept free before and after each visit at home. Left out: as it is. */
  homeTravelMinutes: z.optional(z.int().check(z.gte(0), z.lte(longestTravelMinutes), z.multipleOf(5))),
})

/** Minutes of the grid on which starts lie. */
export const gridSteps = [5, 10, 15, 20, 30, 60] as const
/** What is done about gaps nobody can use: nothing, they come last, they are not shown. */
export const gapPolicies = ['off', 'rank', 'hide'] as const
/** Services of one visit in the order chosen, or in the one that fits best. */
export const serviceOrders = ['given', 'best'] as const
const upTo = (most: number, least = 0) => z.int().check(z.gte(least), z.lte(most))
/** Minutes before the start; null: not online at all. */
const windowMinutes = z.nullable(upTo(43_200))

/** What clients may do by themselves, and until when. */
export const rulesPart = z.object({
  gridMinutes: z.int().check(z.refine((n) => (gridSteps as readonly number[]).includes(n), { error: `one_of:${gridSteps.join(',')}` })),
  noticeMinutes: upTo(43_200),
  horizonDays: upTo(400, 1),
  maxWaitMinutes: upTo(240),
  gapPolicy: z.enum(gapPolicies),
  serviceOrder: z.enum(serviceOrders),
  cancelWindowMinutes: windowMinutes,
  rescheduleWindowMinutes: windowMinutes,
})

/** What is charged to the card of whoever cancels late or does not come; parts of the price, and never more than it. */
const feeRules = z.object({
  lateCancel: depositRule,
  noShow: depositRule,
  /** After the free window, and after the start, nothing is charged for so long. */
  graceMinutes: upTo(120),
})

/** Most missed visits after which all is paid beforehand. */
export const mostNoShows = 10

/** How clients pay. */
export const paymentsPart = z
  .object({
    payAtSalon: z.boolean(),
    paymentMethods: several(paymentMethod, 0),
    deposit: depositRule,
    /** Whoever missed so many visits within a year pays all of the next before it; null: nobody. Left out: as it is. */
    prepayAfterNoShows: z.optional(z.nullable(upTo(mostNoShows, 1))),
    /** Left out: as they are. Refused where cards are not among the ways to pay. */
    fees: z.optional(feeRules),
  })
  .check(
    z.refine(({ payAtSalon, paymentMethods, deposit }) => (payAtSalon && deposit.kind === 'none') || paymentMethods.length > 0, {
      path: ['paymentMethods'],
      error: 'required',
    }),
  )

/** What stands on invoices beside the institute's name. */
export const documentsPart = z.object({
  legalName: z.nullable(text(120)),
  vatNumber: z.nullable(text(40)),
  /** Hundredths of a percent; null for the usual rate of the country. */
  vatBasisPoints: z.nullable(z.int().check(z.gte(0), z.lte(5000))),
})

const settings = z.object({
  _id: z.string(),
  slug: z.string(),
  city: z.string(),
  countryCode: z.string(),
  timeZone: z.string(),
  currency: z.string(),
  profile: profilePart,
  openingHours: hoursPart,
  rules: rulesPart,
  payments: paymentsPart,
  documents: documentsPart,
  /** Where its money goes. */
  paymentAccount,
  /** The rate where it has none of its own, hundredths of a percent. */
  usualVatBasisPoints: z.int(),
  /** Who of the team is told of what. */
  notifications: teamNotifications,
})
export type InstituteSettings = z.output<typeof settings>

/** A visit that lies where the institute is not open. */
const hitVisit = z.object({
  _id: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  customer: z.object({ name: z.string() }),
  services: z.array(z.string()),
  staff: z.array(z.string()),
})
export type HitVisit = z.output<typeof hitVisit>

const closure = z.object({
  _id: z.string(),
  fromDay: z.string(),
  toDay: z.string(),
  /** The part of each day that is closed; null for whole days. */
  part: z.nullable(z.object({ opensAt: z.string(), closesAt: z.string() })),
  reason: z.nullable(z.string()),
  /** How many visits lie in it. */
  visits: z.int(),
  /** Whether clients can book that far ahead yet. */
  isBookable: z.boolean(),
})
export type Closure = z.output<typeof closure>

const holiday = z.object({
  day: z.string(),
  name: z.string(),
  /** The closure that takes the whole day; null where it is open. */
  closureId: z.nullable(z.string()),
  /** Whether it would be open by the usual week. */
  isOpenDay: z.boolean(),
})

/** Most closures that lie ahead. */
export const mostClosuresAhead = 200
/** Most days of one closure. */
export const longestClosureDays = 366
const onlyAnswers = { dryRun: z.optional(z.literal('1')) }

const base = '/api/v1/secure/mysalon'

/** Reading and changing what an institute sets. */
export const instituteSettingsCalls = defineCalls({
  instituteSettings: {
    method: 'GET',
    path: `${base}/institute`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary: 'Everything the settings of my institute change',
    answer: settings,
  },
  changeInstituteSettings: {
    method: 'PUT',
    path: `${base}/institute`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary:
      'Change the parts that are named; what is left out stays. Answers the visits that new opening hours leave outside, which stay; `dryRun=1` only answers',
    query: z.object(onlyAnswers),
    body: z.object({
      profile: z.optional(profilePart),
      openingHours: z.optional(hoursPart),
      rules: z.optional(rulesPart),
      payments: z.optional(paymentsPart),
      documents: z.optional(documentsPart),
      notifications: z.optional(teamChoicesPart),
    }),
    answer: z.object({ settings, outside: z.array(hitVisit) }),
  },
  closures: {
    method: 'GET',
    path: `${base}/closures`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary: 'Closures of today and later with the visits in them, and the public holidays of a year ahead',
    answer: z.object({
      items: z.array(closure),
      holidays: z.object({ country: z.string(), countryName: z.string(), region: z.nullable(z.string()), items: z.array(holiday) }),
    }),
  },
  close: {
    method: 'POST',
    path: `${base}/closures`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary: 'Close days, or a part of each; the visits in them stay and are answered; `dryRun=1` only answers',
    query: z.object(onlyAnswers),
    body: z.object({
      fromDay: day,
      /** The same day when absent. */
      toDay: z.optional(day),
      part: z.optional(range),
      reason: z.optional(text(120, 0)),
      /** It is a public holiday, whose name is the reason. */
      isHoliday: z.optional(z.boolean()),
    }),
    status: 201,
    answer: z.object({ closure: z.nullable(closure), hits: z.array(hitVisit) }),
    refusals: ['too_many_closures'],
  },
  reopen: {
    method: 'DELETE',
    path: `${base}/closures/:id`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary: 'Take a closure away, or open one day out of it: the days before and after stay closed',
    params: z.object({ id }),
    query: z.object({ day: z.optional(day) }),
    answer: message,
  },
  ownPermissions: {
    method: 'GET',
    path: `${base}/permissions`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'institute-settings',
    summary: 'What each level may do here, and what I may',
    answer: z.object({
      permissions: z.array(z.enum(permissions)),
      levels: z.array(z.object({ level: z.enum(levels), may: z.array(z.enum(permissions)) })),
      own: z.array(z.enum(permissions)),
    }),
  },
})
