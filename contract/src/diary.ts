/** The calendar of an institute: what its time is taken by, day by day, and what its people do there. All days and wall times are those of the institute's zone. */
import * as z from 'zod/mini'
import { attendance, attendances, cart, homeAddress, homeAddressInput, homeTown, mostServices, noted, status } from './appointments.ts'
import { defineCalls } from './define.ts'
import { phone } from './session.ts'
import { day, email, id, instant, message, money, personName, priceKind, text } from './wire.ts'

/** Most days of one calendar answer. */
export const mostDiaryDays = 7

/** So long after the institute booked, moved or cancelled a visit it can take that back; its client is told afterwards. */
export const undoSeconds = 10

/** Kinds of time an institute keeps for itself. */
export const blockedKinds = ['break', 'meeting', 'training', 'errand', 'other'] as const
/** Schema of a kind of blocked time. */
export const blockedKind = z.enum(blockedKinds)
export type BlockedKind = z.output<typeof blockedKind>

/** Two instants, the first before the second. */
const stretch = { startsAt: z.string(), endsAt: z.string() }

const diarySegment = z.object({
  /** Place among the segments of the visit, from 0. */
  position: z.int(),
  serviceId: z.string(),
  serviceName: z.string(),
  staffId: z.string(),
  /** The room or machine it is in, where the service needs one. */
  resourceId: z.nullable(z.string()),
  ...stretch,
  /** Waiting within it while the member is free; null without any. */
  idle: z.nullable(z.object(stretch)),
  /** Minutes kept for preparation before it and clean-up after it; never told to clients. */
  bufferBeforeMinutes: z.int(),
  bufferAfterMinutes: z.int(),
  price: z.nullable(money),
  priceKind: z.optional(priceKind),
})

/** Whom a visit is for, as far as the caller may know: the phone is for those who may see customers. */
const diaryCustomer = z.object({
  /** Null for a walk-in without a name. */
  _id: z.nullable(z.string()),
  name: z.string(),
  phone: z.nullable(z.string()),
  /** How often they did not come before. */
  noShows: z.int(),
  /** Visits they came to before this one. */
  pastVisits: z.int(),
})

/** A visit in the calendar. */
export const diaryVisit = z.object({
  _id: z.string(),
  reference: z.string(),
  status,
  /** True while somebody is deciding: it takes its time and is nobody's visit yet. */
  isHeld: z.boolean(),
  attendance,
  /** When each step was noted, by name of the step. */
  attendedAt: z.partialRecord(z.enum(attendances), z.string()),
  ...stretch,
  customer: diaryCustomer,
  segments: z.array(diarySegment),
  total: money,
  /** What the client wrote. */
  note: z.nullable(z.string()),
  /** What the institute noted; never told to the client. */
  ownNote: z.nullable(z.string()),
  /** Why it stands beside others on purpose; null when it does not. */
  overbooked: z.nullable(z.string()),
  madeBy: z.enum(['client', 'institute', 'system']),
  /** The group session whose seat it is. */
  sessionId: z.nullable(z.string()),
  atHome: z.optional(homeTown),
  /** Raised by each change of the visit: sent with a change, it is refused where somebody was faster. */
  version: z.int(),
  /** Until when the last change can be taken back, because nobody was told of it yet; null when it cannot. */
  undoUntil: z.nullable(z.string()),
})
export type DiaryVisit = z.output<typeof diaryVisit>

const diaryBlock = z.object({
  _id: z.string(),
  /** Exactly one of the two. */
  staffId: z.nullable(z.string()),
  resourceId: z.nullable(z.string()),
  ...stretch,
  kind: blockedKind,
  note: z.nullable(z.string()),
})
export type DiaryBlock = z.output<typeof diaryBlock>

const diarySession = z.object({
  _id: z.string(),
  serviceId: z.string(),
  serviceName: z.string(),
  staffId: z.string(),
  resourceId: z.nullable(z.string()),
  ...stretch,
  capacity: z.int(),
  booked: z.int(),
  held: z.int(),
})
export type DiarySession = z.output<typeof diarySession>

const diaryMember = z.object({
  _id: z.string(),
  name: z.string(),
  title: z.nullable(z.string()),
  imageUrl: z.string(),
  bookableOnline: z.boolean(),
  /** Ids of the services they perform. */
  services: z.array(z.string()),
})
export type DiaryMember = z.output<typeof diaryMember>

/** One member on one day. */
const memberDay = z.object({
  staffId: z.string(),
  /** When they work, breaks left out. */
  shifts: z.array(z.object(stretch)),
  /** Minutes at work, and those of them that visits and sessions take; idle parts and no-shows are not counted, overlaps once. */
  shiftMinutes: z.int(),
  busyMinutes: z.int(),
  /** Absences that touch the day. The reason is for people of the institute alone. */
  away: z.array(z.object({ _id: z.string(), kind: z.enum(['on_holiday', 'sick_leave', 'other']), ...stretch })),
  /** Busy times read from a calendar of theirs. */
  external: z.array(z.object(stretch)),
})

const diaryDay = z.object({
  day: z.string(),
  opens: z.array(z.object(stretch)),
  /** Why it is closed, in words; null when it is not, or not by a closure. */
  closure: z.nullable(z.string()),
  members: z.array(memberDay),
})
export type DiaryDay = z.output<typeof diaryDay>

const diary = z.object({
  timeZone: z.string(),
  currency: z.string(),
  gridMinutes: z.int(),
  /** The server's clock. */
  now: z.string(),
  /** Raised by every change of the calendar: an answer with a lower one is older. */
  version: z.int(),
  members: z.array(diaryMember),
  resources: z.array(z.object({ _id: z.string(), name: z.string(), type: z.string() })),
  days: z.array(diaryDay),
  visits: z.array(diaryVisit),
  blocked: z.array(diaryBlock),
  sessions: z.array(diarySession),
})
export type Diary = z.output<typeof diary>

/** Whom an institute books for: a record it has, or a new one; neither for a walk-in without a name. */
const newCustomer = z.object({
  firstName: personName,
  lastName: z.optional(text(80, 0)),
  phone: z.optional(phone),
  email: z.optional(z.union([email, z.literal('')])),
})

const base = '/api/v1/secure/mysalon'
const visitPath = `${base}/appointments/:id`

/** What a change of the calendar tells every screen of the institute, as the socket event `diaryChanged`. */
export interface DiaryChanged {
  instituteId: string
  /** The version it brought. */
  version: number
  /** The stretch of time it is about, both instants; the whole calendar when null. */
  startsAt: string | null
  endsAt: string | null
  /** Kind of the event, such as `visit.moved`, and the id of what it happened to. */
  kind: string
  subjectId: string | null
}

/** Reading the calendar, booking for clients, moving, noting who came, and blocking time. */
export const diaryCalls = defineCalls({
  diary: {
    method: 'GET',
    path: `${base}/diary`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary:
      'Days of the calendar: people with their shifts, visits, blocked time and sessions. Who may see their own visits only gets these',
    query: z.object({ from: day, days: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(mostDiaryDays)), 1) }),
    answer: diary,
  },
  diaryMonth: {
    method: 'GET',
    path: `${base}/diary/month`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'A month of the calendar: visits and how full each open hour is, day by day',
    query: z.object({ month: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/)) }),
    answer: z.object({
      timeZone: z.string(),
      now: z.string(),
      days: z.array(
        z.object({
          day: z.string(),
          closure: z.nullable(z.string()),
          visits: z.int(),
          cancelled: z.int(),
          /** Minutes at work of all members, and those of them that are taken. */
          shiftMinutes: z.int(),
          busyMinutes: z.int(),
          /** For each open hour on the wall clock, the share of the minutes at work that is taken, 0–1. */
          hours: z.array(z.object({ hour: z.int(), taken: z.number() })),
        }),
      ),
    }),
  },
  diaryVisit: {
    method: 'GET',
    path: visitPath,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'One visit with what happened to it',
    params: z.object({ id }),
    answer: z.extend(diaryVisit, {
      timeZone: z.string(),
      terms: z.object({ cancelWindowHours: z.nullable(z.number()), freeUntil: z.nullable(z.string()) }),
      home: z.optional(homeAddress),
      /** What its services need first and the client neither had nor has booked in time; absent where nothing is missing, or once it is over. */
      missing: z.optional(z.array(z.object({ serviceName: z.string(), testName: z.string() }))),
      /** The visits it was made with, this one with them, soonest first; absent where it stands alone. Each is moved and cancelled by itself. */
      series: z.optional(
        z.object({
          everyWeeks: z.int(),
          visits: z.array(z.object({ _id: z.string(), startsAt: z.string(), movedFrom: z.nullable(z.string()) })),
        }),
      ),
      /** Newest first: what was done, by whom in words, and when. */
      history: z.array(z.object({ kind: z.string(), by: z.string(), at: z.string(), startsAt: z.nullable(z.string()) })),
    }),
  },
  bookForClient: {
    method: 'POST',
    path: `${base}/appointments`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Book for a client who phones or walks in; with a reason it may stand beside what is there',
    body: z.object({
      services: cart,
      startsAt: instant,
      customerId: z.optional(id),
      customer: z.optional(newCustomer),
      /** At the client's home, and where; the institute may go further than it says online. */
      home: z.optional(homeAddressInput),
      /** What the institute notes for itself. */
      note: z.optional(text(1000, 0)),
      /** On purpose over others, with why; only for those who may overbook. */
      overbook: z.optional(z.object({ reason: text(500) })),
    }),
    idempotent: true,
    status: 201,
    answer: diaryVisit,
    refusals: ['slot_taken', 'not_offered', 'not_at_home', 'prerequisite_missing', 'idempotency_conflict', 'forbidden'],
  },
  noteAttendance: {
    method: 'PUT',
    path: `${visitPath}/attendance`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Note that a client arrived, is in service, is done or did not come; any earlier step undoes',
    params: z.object({ id }),
    body: noted,
    idempotent: true,
    answer: diaryVisit,
    refusals: ['wrong_state', 'changed_meanwhile'],
  },
  noteVisit: {
    method: 'PUT',
    path: `${visitPath}/note`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'What the institute notes about a visit for itself',
    params: z.object({ id }),
    body: z.object({ note: text(1000, 0) }),
    answer: diaryVisit,
  },
  resizeVisit: {
    method: 'PUT',
    path: `${visitPath}/duration`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Give a service of a visit more or less time; what follows it in the visit moves along',
    params: z.object({ id }),
    body: z.object({
      segment: z.int().check(z.gte(0), z.lt(mostServices)),
      /** Minutes, in steps of 5. */
      durationMinutes: z.int().check(z.gte(5), z.lte(720), z.multipleOf(5)),
      /** Of the visit as it was seen. */
      version: z.optional(z.int()),
    }),
    idempotent: true,
    answer: diaryVisit,
    refusals: ['wrong_state', 'slot_taken', 'not_offered', 'changed_meanwhile'],
  },
  undoVisitChange: {
    method: 'PUT',
    path: `${visitPath}/undo`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Take back the last move, cancellation or booking the institute made of a visit, while its client has not been told yet',
    params: z.object({ id }),
    answer: diaryVisit,
    refusals: ['wrong_state', 'too_late', 'slot_taken', 'forbidden'],
  },
  blockTime: {
    method: 'POST',
    path: `${base}/blocked-times`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Keep time of a member or a resource free of visits',
    body: z.object({
      staffId: z.optional(id),
      resourceId: z.optional(id),
      startsAt: instant,
      endsAt: instant,
      kind: z._default(blockedKind, 'other'),
      note: z.optional(text(200, 0)),
    }),
    status: 201,
    answer: diaryBlock,
    refusals: ['time_taken'],
  },
  moveBlockedTime: {
    method: 'PUT',
    path: `${base}/blocked-times/:id`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Move or resize blocked time, give it to another member, or change what it says',
    params: z.object({ id }),
    body: z.object({
      startsAt: instant,
      endsAt: instant,
      staffId: z.optional(id),
      kind: z.optional(blockedKind),
      note: z.optional(text(200, 0)),
    }),
    answer: diaryBlock,
    refusals: ['time_taken'],
  },
  moveBreak: {
    method: 'PUT',
    path: `${base}/diary/breaks`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'diary',
    summary: 'Move a break of a member on one day to another hour of their shift; other days stay as they are',
    body: z.object({
      staffId: id,
      /** The break as it is planned. */
      from: z.object({ startsAt: instant, endsAt: instant }),
      /** As long, on the same day. */
      to: z.object({ startsAt: instant, endsAt: instant }),
    }),
    answer: z.object({ staffId: z.string(), ...stretch }),
    refusals: ['time_taken', 'not_offered'],
  },
  unblockTime: {
    method: 'DELETE',
    path: `${base}/blocked-times/:id`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Give blocked time back',
    params: z.object({ id }),
    answer: message,
  },
})
