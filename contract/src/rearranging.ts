/** Visits that need a new time because somebody is away or a day closes, what is proposed to their clients, and running late. */
import * as z from 'zod/mini'
import { appointment, mostServices, segment } from './appointments.ts'
import { defineCalls } from './define.ts'
import { day, id, instant, message, money, text } from './wire.ts'

/** Most visits of one round of proposals. */
export const mostRearranged = 100
/** Hours a client has to answer, unless the institute says otherwise. */
export const answerHours = 24
/** A proposal is answered so many minutes before its start at the latest. */
export const answeredBeforeMinutes = 120
/** Steps of minutes in which somebody may be late. */
export const lateSteps = 5
/** Most minutes. */
export const mostLateMinutes = 180

/**
 * Why a time is proposed: the same person at the same hour, later the same day, or at another hour; somebody else at the same time, the same day, or another day;
 * `picked` by the institute.
 */
export const proposalReasons = [
  'same_person_same_hour',
  'same_person_same_day',
  'same_person',
  'colleague_same_time',
  'colleague_same_day',
  'colleague',
  'picked',
] as const
/** One of them. */
export type ProposalReason = (typeof proposalReasons)[number]

/** How far a visit that needs a new time has come. `sent`: the client has not answered yet, and the time is kept for them. */
export const rearrangementStates = ['sent', 'accepted', 'other_time', 'declined', 'no_answer', 'by_phone', 'settled'] as const
/** One of them. */
export type RearrangementState = (typeof rearrangementStates)[number]

const stretch = { startsAt: z.string(), endsAt: z.string() }
const person = z.object({ staffId: z.string(), name: z.string(), imageUrl: z.string() })

/** A time that could be kept for a client now. */
const option = z.object({
  ...stretch,
  /** By whom, for each service in its place. */
  staff: z.array(person),
  reason: z.enum(proposalReasons),
})
export type ProposalOption = z.output<typeof option>

const hitVisit = z.object({
  _id: z.string(),
  reference: z.string(),
  ...stretch,
  customer: z.object({ name: z.string(), phone: z.nullable(z.string()), hasAccount: z.boolean() }),
  segments: z.array(segment),
  total: money,
})

const proposalRow = z.object({
  visit: hitVisit,
  /** What fits, the proposed one first; none where nothing does. */
  options: z.array(option),
  /** Who does it now has nothing free before this day; null where that was not asked or is not so. */
  fullUntil: z.nullable(z.string()),
  /** Of what was paid for it, what goes back when it is cancelled. */
  refunded: money,
})
/** A visit that needs a new time, with what fits. */
export type ProposalRow = z.output<typeof proposalRow>

const rearrangement = z.object({
  _id: z.string(),
  state: z.enum(rearrangementStates),
  visit: hitVisit,
  /** When the visit was, and what was proposed instead; null where it is settled by phone. */
  before: z.object(stretch),
  proposed: z.nullable(z.object({ ...stretch, staff: z.array(person) })),
  /** Until when it is kept for the client; null where nothing is. */
  until: z.nullable(z.string()),
  /** For the team alone. */
  note: z.nullable(z.string()),
  createdAt: z.string(),
  answeredAt: z.nullable(z.string()),
})
/** A visit that was given a new time, or is about to be. */
export type Rearrangement = z.output<typeof rearrangement>

const lateVisit = z.object({
  _id: z.string(),
  customer: z.string(),
  serviceName: z.string(),
  staffId: z.string(),
  /** When it would begin, and when it will. */
  startsAt: z.string(),
  expectedAt: z.string(),
  minutes: z.int(),
  /** They are told by letter and bell; others have to be called. */
  isTold: z.boolean(),
  phone: z.nullable(z.string()),
})
export type LateVisit = z.output<typeof lateVisit>

const lateNotice = z.object({
  /** Null before it is said. */
  _id: z.nullable(z.string()),
  staffId: z.string(),
  name: z.string(),
  minutes: z.int(),
  saidAt: z.nullable(z.string()),
  endsAt: z.string(),
  affected: z.array(lateVisit),
  /** The next visits of this person that keep their time. */
  unaffected: z.array(lateVisit),
})
/** Somebody runs late today: who has to wait, and who does not. */
export type LateNotice = z.output<typeof lateNotice>

const base = '/api/v1/secure/mysalon'
const list = `${base}/rearrangements`
const own = '/api/v1/secure/appointments/:id/proposal'

const choice = z.object({
  appointmentId: id,
  /** `propose` keeps a time for the client and asks them; `call`: somebody phones them; `cancel`: the institute cancels. */
  how: z.enum(['propose', 'call', 'cancel']),
  startsAt: z.optional(instant),
  /** By whom, for each service in its place. */
  staff: z.optional(z.array(id).check(z.minLength(1), z.maxLength(mostServices))),
})
export type RearrangementChoice = z.output<typeof choice>

/** A time that is proposed to its client instead of `before`. */
const ownTime = z.object({
  ...stretch,
  before: z.object(stretch),
  until: z.nullable(z.string()),
  isKept: z.boolean(),
  segments: z.array(segment),
})

/** That a service of a visit has to wait, and what may be left free of charge because of it. */
const lateOwn = z.object({
  startsAt: z.string(),
  expectedAt: z.string(),
  minutes: z.int(),
  canLeave: z.boolean(),
  /** All of a visit that has not begun, or what has not begun of one that is under way; null where nothing can be left. */
  leaving: z.nullable(
    z.object({
      isWhole: z.boolean(),
      services: z.array(z.string()),
      /** Of what was paid, what goes back. */
      refunded: money,
      /** What the visit costs then. */
      total: money,
    }),
  ),
})

/** What is asked about: a member away, days that close, or visits by name. Nothing asks for all that need a new time now. */
const about = {
  staffId: z.optional(id),
  fromDay: z.optional(day),
  toDay: z.optional(day),
  visit: z.optional(z.union([id, z.array(id).check(z.maxLength(mostRearranged))])),
}

/** Proposing new times, following the answers, answering, and saying that somebody is late. */
export const rearrangingCalls = defineCalls({
  proposals: {
    method: 'GET',
    path: `${list}/proposals`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary:
      'Visits that need a new time, each with what fits: those a member’s days away or a closing day hit, or those named; nothing is kept yet',
    query: z.object(about),
    answer: z.object({ timeZone: z.string(), now: z.string(), items: z.array(proposalRow) }),
  },
  rearrange: {
    method: 'POST',
    path: list,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'Keep the chosen times for their clients and ask them, all or nothing; with `close` the days are closed in the same moment',
    body: z.object({
      items: z.array(choice).check(z.maxLength(mostRearranged)),
      /** Hours to answer. */
      hours: z._default(z.int().check(z.gte(1), z.lte(72)), answerHours),
      /** Why, for the team alone: no client ever reads it. */
      note: z.optional(text(200, 0)),
      close: z.optional(z.object({ fromDay: day, toDay: day })),
    }),
    idempotent: true,
    status: 201,
    answer: z.object({ items: z.array(rearrangement) }),
    refusals: ['slot_taken', 'not_offered', 'prerequisite_missing', 'wrong_state', 'forbidden', 'idempotency_conflict'],
  },
  rearrangements: {
    method: 'GET',
    path: list,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'How proposals were answered, those that wait for somebody first; and whose visits still need a new time',
    answer: z.object({
      timeZone: z.string(),
      now: z.string(),
      items: z.array(rearrangement),
      /** Visits that were hit and that nobody has done anything about. */
      needed: z.array(
        z.object({
          /** Null where a day is closed. */
          staffId: z.nullable(z.string()),
          name: z.nullable(z.string()),
          visits: z.int(),
          /** The first and the last of them. */
          firstAt: z.string(),
          lastAt: z.string(),
        }),
      ),
    }),
  },
  changeRearrangement: {
    method: 'PUT',
    path: `${list}/:id`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'Propose another time instead, take it over by phone, say that the client agreed on the phone, or that it is settled',
    params: z.object({ id }),
    body: z.object({
      how: z.enum(['propose', 'call', 'agreed', 'settled']),
      startsAt: z.optional(instant),
      staff: z.optional(z.array(id).check(z.minLength(1), z.maxLength(mostServices))),
      hours: z._default(z.int().check(z.gte(1), z.lte(72)), answerHours),
    }),
    answer: rearrangement,
    refusals: ['wrong_state', 'slot_taken', 'not_offered', 'prerequisite_missing', 'hold_expired'],
  },
  runLate: {
    method: 'POST',
    path: `${base}/staff/:id/late`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'Say that a member is late today: exactly those who have to wait are told; with `dryRun` who that would be',
    params: z.object({ id }),
    query: z.object({ dryRun: z.optional(z.literal('1')) }),
    body: z.object({ minutes: z.int().check(z.gte(lateSteps), z.lte(mostLateMinutes), z.multipleOf(lateSteps)) }),
    answer: lateNotice,
    refusals: ['not_offered'],
  },
  runOnTime: {
    method: 'DELETE',
    path: `${base}/staff/:id/late`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'Take back that a member is late; those who were told and have not begun are told so',
    params: z.object({ id }),
    answer: message,
  },
  lateMembers: {
    method: 'GET',
    path: `${base}/late`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'rearranging',
    summary: 'Who runs late now, and whom it makes wait',
    answer: z.object({
      timeZone: z.string(),
      now: z.string(),
      items: z.array(lateNotice),
      /** Everybody who works there now and is not away today. */
      team: z.array(person),
    }),
  },
  ownProposal: {
    method: 'GET',
    path: own,
    access: { of: 'self' },
    tag: 'rearranging',
    summary: 'The new time the institute proposes for a visit of mine, and whether it is running late',
    params: z.object({ id }),
    answer: z.object({
      now: z.string(),
      timeZone: z.string(),
      /** Null where nothing is proposed, or it was answered. `isKept` until it runs out. */
      proposal: z.nullable(ownTime),
      late: z.nullable(lateOwn),
    }),
  },
  ownProposals: {
    method: 'GET',
    path: '/api/v1/secure/appointments/proposals',
    access: { of: 'self' },
    tag: 'rearranging',
    summary: 'The visits of mine for which another time is proposed and not answered, soonest first',
    answer: z.object({
      now: z.string(),
      items: z.array(
        z.object({
          appointmentId: z.string(),
          institute: z.object({ name: z.string(), timeZone: z.string() }),
          proposal: ownTime,
        }),
      ),
    }),
  },
  acceptProposal: {
    method: 'PUT',
    path: `${own}/accept`,
    access: { of: 'self', verified: true },
    tag: 'rearranging',
    summary: 'Take the proposed time: the visit moves there, at the price agreed',
    params: z.object({ id }),
    idempotent: true,
    answer: appointment,
    refusals: ['hold_expired', 'wrong_state', 'idempotency_conflict'],
  },
  declineProposal: {
    method: 'PUT',
    path: `${own}/decline`,
    access: { of: 'self', verified: true },
    tag: 'rearranging',
    summary:
      'Give the visit up, free of charge whatever the window: after a proposal, or when the institute runs late; of a visit that is under way what has not begun',
    params: z.object({ id }),
    idempotent: true,
    answer: appointment,
    refusals: ['wrong_state', 'idempotency_conflict'],
  },
})
