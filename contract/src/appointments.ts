/** Holds and appointments of the signed-in person. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { feesOfVisit } from './fees.ts'
import { anyway, neededBy } from './needed.ts'
import { payParts, returnPath } from './payments.ts'
import {
  day,
  freeTime,
  id,
  instant,
  latitude,
  longitude,
  message,
  money,
  pageOf,
  pageQuery,
  paymentMethod,
  priceKind,
  text,
} from './wire.ts'

/** Payment state, the specification's words; labels Paid, Deposit Paid, Pending, Cancelled. */
export const statuses = ['pending', 'deposit_paid', 'completed', 'cancelled'] as const
/** Schema of a payment state. */
export const status = z.enum(statuses)
export type Status = z.output<typeof status>
/** Whether the person came; apart from payment. */
export const attendances = ['expected', 'arrived', 'in_service', 'done', 'no_show'] as const
/** Schema of attendance. */
export const attendance = z.enum(attendances)
/** Schema of a step as it is noted. */
export const noted = z.object({
  attendance,
  /** The step that was seen: refused where somebody noted another meanwhile. */
  was: z.optional(attendance),
  /** When it was noted, on a device that had no connection; never later than now. */
  at: z.optional(instant),
})
/** Minutes a hold lasts; it can be extended once by as many. */
export const holdMinutes = 10

/** Most services of one visit. */
export const mostServices = 8

/** One service of a visit, as it is told. */
export const segment = z.object({
  serviceId: z.string(),
  serviceName: z.string(),
  staffId: z.string(),
  staffName: z.string(),
  staffImageUrl: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  /** As agreed when it was booked; null on request. */
  price: z.nullable(money),
  /** What the price said then; absent from answers of releases before it was told. */
  priceKind: z.optional(priceKind),
})

export type Segment = z.output<typeof segment>

/** Another visit of the same person at the same time: a warning, never a refusal. */
const overlap = z.object({ _id: z.string(), instituteName: z.string(), startsAt: z.string() })

/** The terms accepted with the booking, as they stood then. */
const terms = z.object({
  cancelWindowHours: z.nullable(z.number()),
  rescheduleWindowHours: z.nullable(z.number()),
  /** Cancelling online is free until this instant; null when never. */
  freeUntil: z.nullable(z.string()),
})

const instituteOfVisit = z.object({
  _id: z.string(),
  slug: z.string(),
  name: z.string(),
  timeZone: z.string(),
  coverUrl: z.string(),
  address: z.string(),
  phone: z.nullable(z.string()),
  location: z.object({ lat: z.number(), lon: z.number() }),
})

/** Where a client lives. Its position is that of the place that was chosen; without one the nearest place of that name is taken. */
export const homeAddressInput = z
  .object({
    line: text(200),
    postalCode: z.optional(text(20, 0)),
    city: text(120),
    lat: z.optional(latitude),
    lon: z.optional(longitude),
  })
  .check(z.refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), { path: ['city'], error: 'invalid' }))
export type HomeAddressInput = z.output<typeof homeAddressInput>
/** Where a visit at home is: for its client, and until the day after it for who performs it, or for whoever changes the calendar where that one has no login. */
export const homeAddress = z.object({ line: z.string(), postalCode: z.nullable(z.string()), city: z.string() })
export type HomeAddress = z.output<typeof homeAddress>
/** A visit at home as the calendar shows it to everybody: in which town, where that is known. */
export const homeTown = z.object({ city: z.nullable(z.string()) })

/** A visit as its client sees it. */
export const appointment = z.object({
  _id: z.string(),
  /** Short reference people can read out, such as `K7QD-4M`. */
  reference: z.string(),
  status,
  attendance,
  startsAt: z.string(),
  endsAt: z.string(),
  institute: instituteOfVisit,
  segments: z.array(segment),
  total: money,
  paymentMethod: z.nullable(paymentMethod),
  payAtSalon: z.boolean(),
  note: z.nullable(z.string()),
  terms,
  canCancel: z.boolean(),
  canReschedule: z.boolean(),
  /** One of its services can be let go by itself; absent where it cannot. */
  canRemoveService: z.optional(z.boolean()),
  createdAt: z.string(),
  cancelledAt: z.nullable(z.string()),
  /** Only when the client must pay first: where. */
  payment: z.optional(z.object({ url: z.string() })),
  overlapsWith: z.optional(overlap),
  /** It is done at the client's home. */
  atHome: z.optional(z.boolean()),
  /** Where that is: told with one's own visit alone. */
  home: z.optional(homeAddress),
  /** That address can still be put right; absent where it cannot. */
  canCorrectHome: z.optional(z.boolean()),
  /** Told with one's own visit alone, and absent where nothing needs it. */
  neededBy: z.optional(neededBy),
})
export type Appointment = z.output<typeof appointment>

const hold = z.object({
  _id: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  expiresAt: z.string(),
  total: money,
  extended: z.boolean(),
  institute: z.object({ _id: z.string(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  segments: z.array(segment),
  terms,
  overlapsWith: z.optional(overlap),
  atHome: z.optional(z.boolean()),
})
export type Hold = z.output<typeof hold>

/** A visit as people of the institute see it. */
export const instituteVisit = z.object({
  _id: z.string(),
  reference: z.string(),
  status,
  attendance,
  startsAt: z.string(),
  endsAt: z.string(),
  /** The phone is for those who may see customers. */
  customer: z.object({ name: z.string(), phone: z.nullable(z.string()) }),
  segments: z.array(segment),
  total: money,
  timeZone: z.string(),
  note: z.nullable(z.string()),
  /** Raised by each change of the visit. */
  version: z.int(),
})
export type InstituteVisit = z.output<typeof instituteVisit>

/** Services in order, each with a member or any. */
export const cart = z
  .array(z.object({ serviceId: id, staffId: z.optional(z.union([id, z.literal('any')])) }))
  .check(z.minLength(1), z.maxLength(mostServices))

/** Who is wished for when a visit moves, for each service in the order booked; one holds for all. */
const moveStaff = z.array(z.union([z.literal('any'), id])).check(z.minLength(1), z.maxLength(mostServices))
const moveStaffQuery = z.union([z.literal('any'), id, moveStaff])

/** The version of a visit as somebody saw it: a change of what was changed meanwhile is refused with who did what. */
const seen = { version: z.optional(z.int()), anyway }

/** Holding, booking, reading, moving and cancelling. */
export const appointmentCalls = defineCalls({
  makeHold: {
    method: 'POST',
    path: '/api/v1/secure/appointments/holds',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'Hold a time for ten minutes; works before the email is confirmed, for one time of few services',
    body: z.object({
      instituteId: id,
      services: cart,
      startsAt: instant,
      /** Asked for when a service has a minimum age and the account has no birthday yet; kept with the account. */
      birthday: z.optional(z.iso.date().check(z.regex(/^(19|20)\d\d-/))),
      /** The visit is at home, here. Needed where a service is done nowhere else. */
      home: z.optional(homeAddressInput),
    }),
    idempotent: true,
    status: 201,
    answer: hold,
    refusals: [
      'slot_taken',
      'not_offered',
      'prerequisite_missing',
      'not_bookable',
      'not_at_home',
      'outside_radius',
      'price_on_request',
      'too_many_holds',
      'too_many_services',
    ],
  },
  currentHolds: {
    method: 'GET',
    path: '/api/v1/secure/appointments/holds',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'My live holds, newest first',
    answer: z.object({ items: z.array(hold) }),
  },
  extendHold: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/holds/:id/extend',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Ten more minutes, once; not before the email is confirmed',
    params: z.object({ id }),
    answer: hold,
    refusals: ['hold_expired', 'hold_extended'],
  },
  releaseHold: {
    method: 'DELETE',
    path: '/api/v1/secure/appointments/holds/:id',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'Let a held time go',
    params: z.object({ id }),
    answer: message,
  },
  book: {
    method: 'POST',
    path: '/api/v1/secure/appointments',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary:
      'Turn a hold into an appointment; where something is paid online first, `payment.url` says where, and the provider’s word makes the visit',
    body: z.object({
      holdId: id,
      /** How it is paid online; the institute's first way when something has to be and this is left out. */
      paymentMethod: z.optional(paymentMethod),
      /** What is paid online. Left out: what the institute asks for, which is nothing, a deposit, or all where nobody pays at the salon. */
      pay: z.optional(z.enum(payParts)),
      returnTo: z.optional(returnPath),
      note: z.optional(text(500, 0)),
    }),
    idempotent: true,
    status: 201,
    answer: appointment,
    refusals: ['hold_expired', 'wrong_state', 'payment_unavailable', 'idempotency_conflict'],
  },
  appointments: {
    method: 'GET',
    path: '/api/v1/secure/appointments',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'My visits: upcoming soonest first, past newest first; past are those that are over or cancelled, over are not cancelled',
    query: z.object({ status: z.optional(status), when: z.optional(z.enum(['upcoming', 'past', 'over'])), ...pageQuery }),
    answer: pageOf(appointment),
  },
  appointment: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'One visit of mine',
    params: z.object({ id }),
    answer: appointment,
  },
  appointmentCalendarFile: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/calendar.ics',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'The visit as an iCalendar file',
    params: z.object({ id }),
    answer: 'text/calendar',
  },
  cancelAppointment: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/:id/cancel',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Cancel a visit',
    params: z.object({ id }),
    body: z.optional(z.nullable(z.object({ reason: z.optional(text(300, 0)) }))),
    idempotent: true,
    answer: appointment,
    refusals: ['wrong_state', 'too_late'],
  },
  rescheduleAppointment: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/:id/reschedule',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Move a visit to another start: same services, with who does them now unless others are named or any',
    params: z.object({ id }),
    body: z.object({ startsAt: instant, staff: z.optional(moveStaff) }),
    idempotent: true,
    answer: appointment,
    refusals: ['wrong_state', 'too_late', 'slot_taken', 'not_offered'],
  },
  rescheduleTimes: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/times',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Free starts this visit could move to, its own time counted as free; with who does it now unless others are named or any',
    params: z.object({ id }),
    query: z.object({
      staff: z.optional(moveStaffQuery),
      from: z.optional(z.iso.date().check(z.regex(/^20\d\d-/))),
      days: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(31)), 7),
    }),
    answer: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ day: z.string(), times: z.array(freeTime), taken: z.array(z.string()) })),
    }),
  },
  reschedulePlan: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/plan',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary:
      'What moving this visit would make of it: who, until when, for how much, and what changing it again would cost; nothing is changed',
    params: z.object({ id }),
    query: z.object({ startsAt: instant, staff: z.optional(moveStaffQuery) }),
    answer: z.object({
      startsAt: z.string(),
      endsAt: z.string(),
      segments: z.array(segment),
      total: money,
      /** Who does each service, in the order booked: moving with them makes exactly this. */
      staff: z.array(z.string()),
      /** What holds once it has moved, which costs nothing; absent from answers of releases before it was told. */
      afterwards: z.optional(
        z.extend(z.pick(appointment, { canCancel: true, canReschedule: true }), {
          freeUntil: terms.shape.freeUntil,
          ifCancelled: feesOfVisit.ifCancelled,
        }),
      ),
    }),
    refusals: ['wrong_state', 'too_late', 'slot_taken', 'not_offered'],
  },
  instituteVisits: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/appointments',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'appointments',
    summary: 'The next visits of the institute I work for, soonest first; all of them between two days (both included) or two instants',
    query: z.object({ ...pageQuery, from: z.optional(z.union([day, instant])), to: z.optional(z.union([day, instant])) }),
    answer: pageOf(instituteVisit),
  },
  cancelInstituteVisit: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/appointments/:id/cancel',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'appointments',
    summary: 'Cancel a visit for the institute, until it begins; its client is told',
    params: z.object({ id }),
    body: z.optional(z.nullable(z.object({ reason: z.optional(text(300, 0)), ...seen }))),
    idempotent: true,
    answer: instituteVisit,
    refusals: ['wrong_state', 'changed_meanwhile', 'needed_by', 'forbidden'],
  },
  moveInstituteVisit: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/appointments/:id/move',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'appointments',
    summary: 'Move a visit for the institute to another start or to somebody else, until it begins; its client is told',
    params: z.object({ id }),
    body: z.object({
      /** When the visit begins, or the segment named; the others go with it. */
      startsAt: instant,
      /** Who does the segment named from now on, or all of it. */
      staffId: z.optional(id),
      /** Place among the segments of the visit, from 0. */
      segment: z.optional(z.int().check(z.gte(0), z.lt(mostServices))),
      ...seen,
    }),
    idempotent: true,
    answer: instituteVisit,
    refusals: ['wrong_state', 'slot_taken', 'not_offered', 'changed_meanwhile', 'needed_by', 'forbidden'],
  },
})
