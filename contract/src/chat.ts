/** Conversations between a person and an institute: what is read and sent over HTTP, and what a socket says. */
import * as z from 'zod/mini'
import { cart } from './appointments.ts'
import { defineCalls } from './define.ts'
import { id, instant, locales, message as said, pageOf, pageQuery, searchText, text } from './wire.ts'

/** Who speaks in a conversation: the person, or somebody of the institute. */
export const chatSides = ['client', 'institute'] as const
/** `client` or `institute`. */
export type ChatSide = (typeof chatSides)[number]

/** How far a message came: kept by the server, on a screen of the other side, seen there. */
export const messageStatuses = ['sent', 'delivered', 'read'] as const
/** `sent`, `delivered` or `read`. */
export type MessageStatus = (typeof messageStatuses)[number]

/** Kinds of files a message carries. */
export const mediaTypes = ['image', 'document'] as const

/** Most characters of one message. */
export const longestMessage = 4000
/** Most bytes of a picture or document that is sent. */
export const largestMedia = 10_000_000

/** A typing event stands for so long, milliseconds; whoever goes on typing sends another before it ends. */
export const typingMs = 500

const media = z.object({
  type: z.enum(mediaTypes),
  /** Path of this site, for about an hour. */
  url: z.string(),
  /** What its sender calls a document. */
  name: z.nullable(z.string()),
  /** Bytes. */
  bytes: z.int(),
  /** Pixels of a picture. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
})

const visitCard = z.object({
  appointmentId: z.string(),
  /** Instants, ISO. */
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  /** Their names, in the languages the institute gave them. */
  services: z.array(z.partialRecord(z.enum(locales), z.string())),
  isCancelled: z.boolean(),
})

const offeredTime = z.object({
  /** Instants, ISO, and the zone they are told in. */
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  /** In order; with a person where one was chosen, else with anyone. Names as they were when the message was written. */
  services: z.array(
    z.object({
      serviceId: z.string(),
      name: z.partialRecord(z.enum(locales), z.string()),
      staffId: z.nullable(z.string()),
      staffName: z.nullable(z.string()),
    }),
  ),
})
/** A free time that an institute offers in a conversation; nothing is held by it. */
export type OfferedTime = z.output<typeof offeredTime>

const chatMessage = z.object({
  _id: z.string(),
  chatId: z.string(),
  senderId: z.string(),
  side: z.enum(chatSides),
  /** Its place in the conversation, from 1; what was sent first comes first. */
  seq: z.int(),
  /** The key its sender gave it. */
  clientId: z.string(),
  text: z.nullable(z.string()),
  media: z.nullable(media),
  /** A visit of the client, as it stands when the message is read. */
  visit: z.nullable(visitCard),
  /** A time of the institute that was free when it was written. */
  freeTime: z.nullable(offeredTime),
  status: z.enum(messageStatuses),
  /** Instant, ISO. */
  createdAt: z.string(),
})
/** A message as both sides see it. */
export type ChatMessage = z.output<typeof chatMessage>

const chat = z.object({
  _id: z.string(),
  /** Which side of it the caller is on. */
  side: z.enum(chatSides),
  institute: z.object({
    _id: z.string(),
    slug: z.string(),
    name: z.string(),
    coverUrl: z.string(),
    category: z.string(),
    city: z.string(),
  }),
  /** The name is empty where the account is gone. */
  client: z.object({ _id: z.string(), name: z.string(), imageUrl: z.nullable(z.string()) }),
  lastMessage: z.nullable(chatMessage),
  /** Messages of the other side that were not read. */
  unread: z.int(),
  isArchived: z.boolean(),
  /** Nobody can write while one of the two has blocked the other; only who did it is told. */
  isBlocked: z.boolean(),
  /** The site has stopped it: nobody can write, and both are told. */
  isStopped: z.boolean(),
  /** Whether the client has had a visit there: links from others are met with a word of caution. */
  isAcquainted: z.boolean(),
  /** Instant of the last message, ISO. */
  updatedAt: z.string(),
})
/** A conversation in the list of one of its sides. */
export type Chat = z.output<typeof chat>

/** A filter that was left empty is none. */
const optional = <T extends z.ZodMiniType>(filter: T) =>
  z.pipe(
    z.optional(z.union([z.literal(['', 'null']), filter])),
    z.transform((value) => (value === '' || value === 'null' ? undefined : (value as z.output<T> | undefined))),
  )
const flag = optional(z.enum(['true', 'false']))
const filters = {
  /** `institute`: those of the institute the caller works for; their own when absent. */
  side: optional(z.enum(chatSides)),
  search: optional(searchText(80)),
}

const secure = '/api/v1/secure'
/** The same key again is the same message. */
const messageKey = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'invalid' }))

/** Conversations and their messages; all of them need a confirmed email. */
export const chatCalls = defineCalls({
  recentPartners: {
    method: 'GET',
    path: `${secure}/chats/recent-partners`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Whom I wrote with last, the last first',
    query: z.object({ ...filters, limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 5) }),
    answer: z.object({
      items: z.array(
        z.object({ chatId: z.string(), _id: z.string(), name: z.string(), imageUrl: z.nullable(z.string()), unread: z.int() }),
      ),
    }),
  },
  chats: {
    method: 'GET',
    path: `${secure}/chats`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'My conversations, the last written in first; `unread` counts those with something new, over all pages and whatever is asked',
    query: z.object({ ...filters, archived: flag, unread: flag, ...pageQuery }),
    answer: z.extend(pageOf(chat), { unread: z.int() }),
  },
  openChat: {
    method: 'POST',
    path: `${secure}/chats`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'The one conversation of mine with an institute; it is made where there was none',
    body: z.object({ instituteId: id }),
    status: 201,
    answer: chat,
    refusals: ['not_bookable', 'forbidden'],
  },
  chat: {
    method: 'GET',
    path: `${secure}/chats/:id`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'One conversation',
    params: z.object({ id }),
    answer: chat,
  },
  toggleChatArchive: {
    method: 'PUT',
    path: `${secure}/chats/toggle-archive/:id`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Put a conversation away, or back; a new message brings it back',
    params: z.object({ id }),
    answer: z.object({ message: z.string(), isArchived: z.boolean() }),
  },
  deleteChat: {
    method: 'DELETE',
    path: `${secure}/chats/:id`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Delete a conversation for me: the other side keeps theirs, and a new message begins it anew',
    params: z.object({ id }),
    answer: said,
  },
  readChat: {
    method: 'PUT',
    path: `${secure}/chats/:id/read`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'I have read what the other side wrote so far',
    params: z.object({ id }),
    answer: said,
  },
  blockChat: {
    method: 'PUT',
    path: `${secure}/chats/:id/block`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Let nobody write in a conversation, or let them again',
    params: z.object({ id }),
    body: z.object({ blocked: z.boolean() }),
    answer: z.object({ message: z.string(), isBlocked: z.boolean() }),
  },
  reportChat: {
    method: 'POST',
    path: `${secure}/chats/:id/report`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Tell the operators of the site what is wrong with a conversation',
    params: z.object({ id }),
    body: z.object({ reason: text(500) }),
    status: 201,
    answer: said,
  },
  sendMessage: {
    method: 'POST',
    path: `${secure}/messages`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Write: a text, one file, or a visit of the client; the same `clientId` again gives the message that was made of it',
    body: z.object({
      chatId: id,
      text: z.optional(searchText(longestMessage)),
      clientId: messageKey,
      appointmentId: z.optional(id),
    }),
    files: { file: { least: 0, most: 1, bytes: largestMedia } },
    status: 201,
    answer: chatMessage,
    refusals: ['wrong_type', 'too_large', 'forbidden', 'chat_stopped'],
  },
  offerFreeTime: {
    method: 'POST',
    path: `${secure}/mysalon/chats/:id/free-times`,
    access: { of: 'institute', may: 'messages.answer' },
    tag: 'chat',
    summary: 'Offer a free time of my institute in a conversation; it is checked now and held for nobody',
    params: z.object({ id }),
    body: z.object({ clientId: messageKey, services: cart, startsAt: instant }),
    status: 201,
    answer: chatMessage,
    refusals: ['slot_taken', 'not_bookable', 'price_on_request', 'forbidden', 'chat_stopped'],
  },
  messages: {
    method: 'GET',
    path: `${secure}/messages/:id`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary:
      'Messages of a conversation: page 1 has the newest, each page the oldest first; `before` keeps pages apart while new ones come',
    params: z.object({ id }),
    query: z.object({
      ...pageQuery,
      /** Only what stands before this place. */
      before: optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
      /** Only what stands after this place: what was missed. */
      after: optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(2_147_483_647))),
    }),
    answer: pageOf(chatMessage),
  },
  chatMedia: {
    method: 'GET',
    path: `${secure}/messages/media/:id`,
    access: { of: 'self', verified: true },
    tag: 'chat',
    summary: 'Messages with files, the newest first',
    params: z.object({ id }),
    query: z.object({ ...pageQuery, type: optional(z.enum(mediaTypes)) }),
    answer: pageOf(chatMessage),
  },
})

/** Namespace of the socket. */
export const chatNamespace = '/chat'

/** What a client sends over the socket; each is acknowledged with `SocketAnswer`. */
export const chatRequests = {
  /** To be told of typing, a conversation is joined. */
  join: z.object({ chatId: id }),
  leave: z.object({ chatId: id }),
  typing: z.object({ chatId: id }),
  read: z.object({ chatId: id }),
} as const
/** Name of a request over the socket. */
export type ChatRequest = keyof typeof chatRequests

/** How a request over the socket ended; `code` is one of the refusals. */
export type SocketAnswer = { ok: true } | { ok: false; code: string; message: string }

/** What the server sends over the socket, by name. */
export interface ChatEvents {
  newMessage: ChatMessage
  /** The other side of `side` sees its messages as read, up to this place; processes of a release before name none. */
  messagesRead: { chatId: string; side: ChatSide; seq?: number }
  updateChat: { chatId: string; lastMessage: ChatMessage | null; updatedAt: string }
  typing: { chatId: string; userId: string }
  /** The bell has something new. */
  notification: { unread: number }
}
