/** What a team works with: rooms, chairs and machines of a type, given out by themselves. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { day, id, message, text } from './wire.ts'

const base = '/api/v1/secure/mysalon/resources'
const change = { of: 'institute', may: 'team.change' } as const

/** Most rooms, chairs and machines of one institute. */
export const mostResources = 60

/** Days on which it cannot be used, both included. */
const closure = z
  .object({ fromDay: day, toDay: day })
  .check(z.refine(({ fromDay, toDay }) => fromDay <= toDay, { path: ['toDay'], error: 'invalid' }))

/** A resource as it is written. */
export const resourceInput = z.object({
  /** Services ask for a type: chair, foot bath, room. */
  type: text(60),
  name: text(80),
  /** What tells it apart, for the institute alone. */
  note: z._default(text(80, 0), ''),
  closures: z._default(z.array(closure).check(z.maxLength(50)), []),
})
export type ResourceInput = z.output<typeof resourceInput>

const stretch = z.object({ startsAt: z.string(), endsAt: z.string() })

const resource = z.object({
  _id: z.string(),
  type: z.string(),
  name: z.string(),
  note: z.string(),
  /** Those that are not over. */
  closures: z.array(z.object({ fromDay: z.string(), toDay: z.string() })),
  /** Whether it cannot be used today. */
  isClosedToday: z.boolean(),
  /** What takes it today, with what is kept free around visits. */
  taken: z.array(z.extend(stretch, { kind: z.enum(['visit', 'blocked']) })),
  takenMinutes: z.int(),
})
export type Resource = z.output<typeof resource>

const resources = z.object({
  items: z.array(resource),
  /** Each type in the order of its first, with the services that take one of it. */
  types: z.array(z.object({ type: z.string(), services: z.array(z.string()) })),
  timeZone: z.string(),
  today: z.string(),
  gridMinutes: z.int(),
  /** From when until when today is drawn; null on a day that is closed. */
  opens: z.nullable(stretch),
  /** The longest time of the days ahead in which all of a type are taken; null when there is none. */
  full: z.nullable(z.extend(stretch, { type: z.string(), count: z.int() })),
})
export type Resources = z.output<typeof resources>

/** A visit that takes it on a day it is closed. */
const met = z.object({ _id: z.string(), startsAt: z.string(), endsAt: z.string(), customer: z.nullable(z.string()) })
const params = z.object({ id })
const written = z.object({ _id: z.string(), appointments: z.array(met) })

/** Rooms, chairs and machines. */
export const resourceCalls = defineCalls({
  resources: {
    method: 'GET',
    path: base,
    access: change,
    tag: 'team',
    summary: 'Rooms, chairs and machines in their order, with what takes them today',
    answer: resources,
  },
  addResource: {
    method: 'POST',
    path: base,
    access: change,
    tag: 'team',
    summary: 'Add a room, a chair or a machine of a type',
    body: resourceInput,
    status: 201,
    answer: z.object({ _id: z.string() }),
    refusals: ['too_many_members'],
  },
  orderResources: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/resources-order',
    access: change,
    tag: 'team',
    summary: 'Put rooms, chairs and machines into the order in which they are given out',
    body: z.object({ ids: z.array(id).check(z.maxLength(mostResources)) }),
    answer: message,
  },
  changeResource: {
    method: 'PUT',
    path: `${base}/:id`,
    access: change,
    tag: 'team',
    summary:
      'Change a resource and the days it is closed; visits on these days stay and are answered, and services follow the last of a type to its new one',
    params,
    body: resourceInput,
    answer: written,
  },
  removeResource: {
    method: 'DELETE',
    path: `${base}/:id`,
    access: change,
    tag: 'team',
    summary: 'Take a resource away: refused while visits ahead take it, and for the last of a type that services ask for',
    params,
    answer: message,
    refusals: ['resource_has_visits', 'resource_needed'],
  },
})
