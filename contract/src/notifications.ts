/** What a person is told in the bell. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { levels } from './members.ts'
import { id, message, pageOf, pageQuery } from './wire.ts'

/** `calendar-scope` asks for a calendar: the browser makes it where none is connected, and the server tells one that lets us in no more. */
export const notificationTypes = ['appointment', 'reminder', 'system', 'calendar-scope'] as const
/** One of the closed list of types. */
export type NotificationType = (typeof notificationTypes)[number]

const notification = z.object({
  id: z.string(),
  title: z.string(),
  message: z.string(),
  /** Instant it was told, ISO. */
  timestamp: z.string(),
  isRead: z.boolean(),
  type: z.enum(notificationTypes),
  /** What its button does. */
  action: z.optional(z.literal('connect')),
  /** Path of this site where it leads. */
  path: z.optional(z.string()),
})
/** As it is shown; title and message in the language of the request. */
export type Notification = z.output<typeof notification>

const reminder = z.object({
  kind: z.enum(['week', 'day']),
  /** Instants, ISO; `sentAt` is null before it was sent. */
  dueAt: z.string(),
  sentAt: z.nullable(z.string()),
})
/** A reminder by mail: seven days or 24 hours before a visit. */
export type Reminder = z.output<typeof reminder>

/** What people may choose to be told. Codes, confirmations, changes and cancellations are always sent. */
export const choiceKinds = ['reminders', 'reviews', 'messages', 'offers'] as const
/** One of them. */
export type ChoiceKind = (typeof choiceKinds)[number]
/** Where they are told it. */
export const channels = ['mail', 'bell'] as const
/** `mail` or `bell`. */
export type Channel = (typeof channels)[number]

const choice = z.object({ kind: z.enum(choiceKinds), channel: z.enum(channels), isOn: z.boolean() })
/** Whether one kind is told in one place. */
export type NotificationChoice = z.output<typeof choice>

/** What the people of an institute are told of it. */
export const teamKinds = ['booked', 'moved', 'cancelled', 'messages', 'reviews', 'leave'] as const
/** One of them. */
export type TeamKind = (typeof teamKinds)[number]
const teamChoice = z.object({ kind: z.enum(teamKinds), channel: z.enum(channels), isOn: z.boolean() })
/** Choices for some of the people, as settings are sent: what is left out stays. */
export const teamChoicesPart = z
  .array(z.object({ userId: id, choices: z.array(teamChoice).check(z.maxLength(20)) }))
  .check(z.maxLength(100))
/** Everybody who signs in, and all that may be chosen for them. */
export const teamNotifications = z.array(
  z.object({ userId: z.string(), name: z.string(), level: z.enum(levels), choices: z.array(teamChoice) }),
)
export type TeamNotifications = z.output<typeof teamNotifications>

/** Reading, marking and removing one's own notifications. */
export const notificationCalls = defineCalls({
  notifications: {
    method: 'GET',
    path: '/api/v1/secure/notifications',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'What I was told, newest first, and how much of it I have not read',
    query: z.object({ ...pageQuery }),
    answer: z.extend(pageOf(notification), { unread: z.int() }),
  },
  readAllNotifications: {
    method: 'PUT',
    path: '/api/v1/secure/notifications/read-all',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'Mark all as read',
    answer: message,
  },
  readNotification: {
    method: 'PUT',
    path: '/api/v1/secure/notifications/:id/read',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'Mark one as read; once more changes nothing',
    params: z.object({ id }),
    answer: message,
  },
  removeNotification: {
    method: 'DELETE',
    path: '/api/v1/secure/notifications/:id',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'Remove one',
    params: z.object({ id }),
    answer: message,
  },
  notificationChoices: {
    method: 'GET',
    path: '/api/v1/secure/notifications/choices',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'What I want to be told by mail and in the bell, of that which I may choose',
    answer: z.object({ items: z.array(choice) }),
  },
  chooseNotifications: {
    method: 'PUT',
    path: '/api/v1/secure/notifications/choices',
    access: { of: 'self' },
    tag: 'notifications',
    summary: 'Be told one kind in one place, or no longer',
    body: choice,
    answer: message,
  },
  reminders: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/reminders',
    access: { of: 'self', verified: true },
    tag: 'notifications',
    summary: 'Which reminders of a visit of mine were sent, and which will be',
    params: z.object({ id }),
    answer: z.object({ items: z.array(reminder) }),
  },
})
