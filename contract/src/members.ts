/** People of an institute: who works there with a login, and at which level. Team members, who perform services, need none. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { email, id, message } from './wire.ts'

/** Levels, highest first; what each may do is the server's list. An institute has one owner. */
export const levels = ['owner', 'manager', 'reception', 'staff'] as const
/** Levels that an owner gives. */
const level = z.enum(['manager', 'reception', 'staff'])

const member = z.object({
  _id: z.string(),
  /** `invited` until the account with this email is confirmed. */
  state: z.enum(['joined', 'invited']),
  email: z.string(),
  /** Null while invited. */
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  level: z.enum(levels),
  /** The team member this person is. */
  staffId: z.nullable(z.string()),
  /** Since when they work here, or were invited. */
  since: z.string(),
  isMe: z.boolean(),
})
export type Member = z.output<typeof member>

/** Most people of one institute, invited ones too. */
export const mostMembers = 100

/** Seeing, adding, changing and removing people; leaving. */
export const memberCalls = defineCalls({
  members: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/members',
    access: { of: 'institute', may: 'people.change' },
    tag: 'members',
    summary: 'Who works here with a login, highest level first, and who was invited',
    answer: z.object({ items: z.array(member) }),
  },
  addMember: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/members',
    access: { of: 'institute', may: 'people.change' },
    tag: 'members',
    summary:
      'Add a person by email: an account that is confirmed joins at once, any other when it is; they are told by mail. Inviting again sends the letter again',
    body: z.object({ email, level, staffId: z.optional(id) }),
    status: 201,
    answer: member,
    refusals: ['already_member', 'member_has_login', 'too_many_members'],
  },
  changeMember: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/members/:id',
    access: { of: 'institute', may: 'people.change' },
    tag: 'members',
    summary: 'Change the level of a person, or which team member they are; what is left out stays',
    params: z.object({ id }),
    body: z.object({ level: z.optional(level), staffId: z.optional(z.nullable(id)) }),
    answer: member,
    refusals: ['last_owner', 'member_has_login'],
  },
  removeMember: {
    method: 'DELETE',
    path: '/api/v1/secure/mysalon/members/:id',
    access: { of: 'institute', may: 'people.change' },
    tag: 'members',
    summary: 'Take access away at once, or an invitation back',
    params: z.object({ id }),
    answer: message,
    refusals: ['last_owner'],
  },
  leaveInstitute: {
    method: 'DELETE',
    path: '/api/v1/secure/client/memberships/:id',
    access: { of: 'self', verified: true },
    tag: 'members',
    summary: 'Stop working at an institute, named by its id',
    params: z.object({ id }),
    answer: message,
    refusals: ['last_owner'],
  },
})
