/** Days off that somebody of the team asks for, and the answer of whoever may change the team. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { leaveKinds, metVisit } from './team.ts'
import { day, id, message, text } from './wire.ts'

const base = '/api/v1/secure/mysalon/leave-requests'

/** How far ahead days off are asked for. */
export const farthestLeaveDays = 730
/** Most days of one request. */
export const longestLeaveDays = 366
/** Characters of what is said with a request, and with its answer. */
export const longestLeaveText = 200

/** `lapsed`: the days have passed and nobody has answered. */
export const leaveRequestStates = ['asked', 'agreed', 'declined', 'lapsed'] as const

const days = { kind: z.enum(leaveKinds), fromDay: z.string(), toDay: z.string(), note: z.nullable(z.string()), askedAt: z.string() }

const ownRequest = z.object({
  _id: z.string(),
  ...days,
  state: z.enum(leaveRequestStates),
  /** Why it was declined. */
  reason: z.nullable(z.string()),
  /** First name of who answered. */
  answeredBy: z.nullable(z.string()),
})
export type OwnLeaveRequest = z.output<typeof ownRequest>

const openRequest = z.object({
  _id: z.string(),
  staffId: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  ...days,
  /** Visits, holds and sessions that lie in these days: they stay until somebody decides about each. */
  appointments: z.array(metVisit),
})
export type OpenLeaveRequest = z.output<typeof openRequest>

/** Asking for days off, and answering. */
export const leaveRequestCalls = defineCalls({
  ownLeaveRequests: {
    method: 'GET',
    path: `${base}/mine`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'leave-requests',
    summary: 'Days off I have asked for, latest first, and what became of each',
    answer: z.object({
      items: z.array(ownRequest),
      /** Whether I am a member of the team, who alone can ask. */
      isMember: z.boolean(),
      today: z.string(),
      timeZone: z.string(),
    }),
  },
  askForLeave: {
    method: 'POST',
    path: base,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'leave-requests',
    summary: 'Ask for days off, as the member of the team that I am; nothing changes until somebody agrees',
    body: z.object({ kind: z.enum(leaveKinds), fromDay: day, toDay: day, note: z.optional(text(longestLeaveText, 0)) }),
    status: 201,
    answer: z.object({ _id: z.string() }),
    refusals: ['no_member', 'leave_overlaps'],
  },
  withdrawLeaveRequest: {
    method: 'DELETE',
    path: `${base}/:id`,
    access: { of: 'institute', may: 'diary.own' },
    tag: 'leave-requests',
    summary: 'Take a request of mine back while nobody has answered it',
    params: z.object({ id }),
    answer: message,
    refusals: ['request_answered'],
  },
  leaveRequests: {
    method: 'GET',
    path: base,
    access: { of: 'institute', may: 'team.change' },
    tag: 'leave-requests',
    summary: 'Days off that wait for an answer, soonest first, with the visits each would hit',
    answer: z.object({ items: z.array(openRequest), timeZone: z.string() }),
  },
  answerLeaveRequest: {
    method: 'PUT',
    path: `${base}/:id`,
    access: { of: 'institute', may: 'team.change' },
    tag: 'leave-requests',
    summary: 'Agree, which marks the member away at once and answers the visits it hits, or decline with a reason. The first answer counts',
    params: z.object({ id }),
    body: z.discriminatedUnion('answer', [
      z.object({ answer: z.literal('agreed') }),
      z.object({ answer: z.literal('declined'), reason: text(longestLeaveText) }),
    ]),
    answer: z.object({ appointments: z.array(metVisit) }),
    refusals: ['request_answered'],
  },
})
