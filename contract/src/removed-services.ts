/** Letting one service of a visit go while the others stay. */
import * as z from 'zod/mini'
import { appointment, mostServices } from './appointments.ts'
import { defineCalls } from './define.ts'
import { diaryVisit } from './diary.ts'
import { id, money } from './wire.ts'

/** Which service: its place among the segments of the visit from 0, and which it is, so that nobody loses another one by an older screen. */
export const removedService = { segment: z.int().check(z.gte(0), z.lt(mostServices)), serviceId: id }

/** The same in an address. */
export const removedServiceQuery = { ...removedService, segment: z.coerce.number().check(z.int(), z.gte(0), z.lt(mostServices)) }

/** What the visit would be without it. */
export const serviceRemoval = z.object({
  /** Instants of the visit that is left; the services that stay follow each other. */
  startsAt: z.string(),
  endsAt: z.string(),
  /** What the services that stay come to. */
  total: money,
  /** What goes back of the deposit: the share of the service in the price. 0 where nothing was paid online. */
  refunded: money,
})
export type ServiceRemoval = z.output<typeof serviceRemoval>

/** Looking at a visit without one of its services, and letting that go. */
export const removedServiceCalls = defineCalls({
  visitServiceRemoval: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/removal',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'What a visit would be without one of its services, and what would go back; nothing is changed',
    params: z.object({ id }),
    query: z.object(removedServiceQuery),
    answer: serviceRemoval,
    refusals: ['wrong_state', 'too_late', 'slot_taken', 'not_offered'],
  },
  removeVisitService: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/:id/removal',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Let one service of a visit of several go, within the free window; its share of the deposit goes back',
    params: z.object({ id }),
    body: z.object(removedService),
    idempotent: true,
    answer: appointment,
    refusals: ['wrong_state', 'too_late', 'slot_taken', 'not_offered'],
  },
})

/** The same for the institute, in its calendar. */
export const diaryRemovalCalls = defineCalls({
  diaryServiceRemoval: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/appointments/:id/removal',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'What a visit would be without one of its services, and what would go back; nothing is changed',
    params: z.object({ id }),
    query: z.object(removedServiceQuery),
    answer: serviceRemoval,
    refusals: ['wrong_state', 'slot_taken', 'not_offered', 'forbidden'],
  },
  removeDiaryVisitService: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/appointments/:id/removal',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Take one service out of a visit of several, until it begins; its share of the deposit goes back, and its client is told',
    params: z.object({ id }),
    body: z.object({ ...removedService, version: z.optional(z.int()) }),
    idempotent: true,
    answer: diaryVisit,
    refusals: ['wrong_state', 'slot_taken', 'not_offered', 'changed_meanwhile', 'forbidden'],
  },
})
