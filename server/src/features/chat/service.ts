/** Conversations between people and institutes. A message is a row first: it is told to sockets when it has been committed. */
import type { Chat, ChatMessage, ChatSide } from '@soigne/contract/chat'
import type { SentFile } from '@soigne/contract/define'
import type { EventPayloads } from '#/event-kinds.ts'
import { freeTimeAt } from '#/features/availability/service.ts'
import { isBlockedAt } from '#/features/customers/service.ts'
import { takeFile, useFile } from '#/features/files/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Database, type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { togetherAt } from '#/platform/together.ts'
import {
  type ChatFilter,
  type ChatRow,
  clearChat,
  countChats,
  countUnread,
  listChats,
  markRead,
  openChat as open,
  readChat as readRow,
  type ChatScope,
  setBlocked,
  toggleArchive,
} from './chat-store.ts'
import {
  countMessages,
  findByKey,
  insertMessage,
  insertTexts,
  isTheirVisit,
  listMessages,
  type MessagePage,
  type NewMessage,
  type OwnText,
  readLastMessages,
  readMessage,
  type Said,
  writtenText,
} from './message-store.ts'
import { noteShown } from './arrivals.ts'
import { insertReport, isStopped } from './reports-store.ts'
import { deskOf, deskSeatOf, institutesAnswered, seatOf } from './sides.ts'
import { chatForWire, messageForWire } from './wire.ts'

type Person = SelfScope<true>
interface Paged {
  page: number
  pageSize: number
}

async function chatsForWire(context: AppContext, scope: ChatScope['scope'], rows: readonly ChatRow[], side: ChatSide): Promise<Chat[]> {
  const last = await readLastMessages(
    context.database.db,
    scope,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => chatForWire(context, row, { side, last: last.get(row.id) }))
}

async function shownChat(context: AppContext, seat: ChatScope): Promise<Chat> {
  const row = await readRow(context.database.db, seat)
  const [chat] = row ? await chatsForWire(context, seat.scope, [row], seat.side) : []
  if (!chat) throw refuse('not_found')
  return chat
}

export async function chatsOf(
  context: AppContext,
  scope: Person,
  { side, page, pageSize, ...filter }: ChatFilter & Paged & { side: ChatSide },
): Promise<{ items: Chat[]; total: number; unread: number } & Paged> {
  const { db } = context.database
  const desk = await deskOf(context, scope, side)
  const rows = await listChats(db, desk, { ...filter, offset: (page - 1) * pageSize, limit: pageSize })
  const [total, unread] = [await countChats(db, desk, filter), await countUnread(db, desk)]
  const items = await chatsForWire(context, scope, rows, side)
  noteShown(context, items)
  return { items, page, pageSize, total, unread }
}

/** @throws not_found; not_bookable for a listing that nobody answers for; forbidden for one's own institute */
export async function openChat(context: AppContext, scope: Person, instituteId: string): Promise<Chat> {
  if ((await institutesAnswered(context, scope)).some((one) => one.instituteId === instituteId)) throw refuse('forbidden')
  const opened = await open(context.database.db, scope, { instituteId, now: new Date(context.clock.now()) })
  if (!opened) throw refuse('not_found')
  if (opened.id === null) throw refuse('not_bookable')
  return shownChat(context, {
    scope,
    side: 'client',
    chatId: opened.id,
    instituteId,
    clientId: scope.userId,
    userId: scope.userId,
    actor: scope.actor,
  })
}

export const chatOf = async (context: AppContext, scope: Person, id: string): Promise<Chat> =>
  shownChat(context, await seatOf(context, scope, id))

export const toggleChatArchive = async (context: AppContext, scope: Person, id: string): Promise<boolean> =>
  toggleArchive(context.database.db, await seatOf(context, scope, id))

/** One side has read up to a place. */
async function tellRead(context: AppContext, transaction: Db, seat: ChatScope, seq: number): Promise<void> {
  const payload: EventPayloads['chat.read'] = { side: seat.side, userId: seat.clientId, seq }
  const at = instantText(context.clock.now())
  const { instituteId, chatId: subjectId, actor } = seat
  await recordEvents(transaction, [{ kind: 'chat.read', instituteId, subjectId, actor, payload, at }])
}

/** The other side's messages are read from now on; nothing is told when none were new. */
export async function readChat(context: AppContext, scope: Person, id: string): Promise<void> {
  const seat = await seatOf(context, scope, id)
  const wasNew = await inTransaction(context.database.db, async (transaction) => {
    const seq = await markRead(transaction, seat)
    if (seq !== null) await tellRead(context, transaction, seat, seq)
    return seq !== null
  })
  if (wasNew) context.live.wake()
}

/** The other side keeps what was said. */
export async function deleteChat(context: AppContext, scope: Person, id: string): Promise<void> {
  const seat = await seatOf(context, scope, id)
  await inTransaction(context.database.db, async (transaction) => {
    await tellRead(context, transaction, seat, await clearChat(transaction, seat))
  })
  context.live.wake()
}

export const blockChat = async (context: AppContext, scope: Person, id: string, blocked: boolean): Promise<void> =>
  void (await setBlocked(context.database.db, await seatOf(context, scope, id), blocked))

export async function reportChat(context: AppContext, scope: Person, id: string, reason: string): Promise<void> {
  await insertReport(context.database.db, await seatOf(context, scope, id), { reason, now: new Date(context.clock.now()) })
}

export interface Draft {
  chatId: string
  clientId: string
  text?: string | undefined
  appointmentId?: string | undefined
}

/** What kind of file was sent, as far as its first bytes tell; the decoder has the last word. */
const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')

/** Texts that come while one statement writes go into the next: a commit for each is most of what a message costs. */
const writeText = togetherAt<Database, { scope: Person; text: OwnText }, Said>(
  (db, all) =>
    insertTexts(
      db,
      all.map(({ scope }) => scope),
      all.map(({ text }) => text),
    ),
  { atOnce: 1, most: 50 },
)

/** A text of the client, which is most of what is written; null where they are not the client there, or wrote it before. */
async function sayAsClient(
  context: AppContext,
  scope: Person,
  { chatId, clientId, text }: { chatId: string; clientId: string; text: string },
): Promise<ChatMessage | null> {
  const at = context.clock.now()
  const made = await writeText(context.database.prepared, { scope, text: { chatId, key: clientId, text, now: new Date(at) } })
  if (made.outcome === 'blocked') throw await whyClosed(context, await seatOf(context, scope, chatId))
  if (made.outcome !== 'new' || made.id === null || made.seq === null) return null
  context.live.wake()
  const row = writtenText(
    { chatId, side: 'client', userId: scope.userId },
    { id: made.id, seq: made.seq, clientId, text, createdAt: instantText(at) },
  )
  return messageForWire(context, row)
}

/** Writes a message once, however often it is sent. @throws forbidden while one side has blocked the other, chat_stopped while the site has; wrong_type for a file that is neither picture nor PDF */
export async function sendMessage(context: AppContext, scope: Person, draft: Draft, file: SentFile | undefined): Promise<ChatMessage> {
  const { chatId, clientId, text } = draft
  const isOnlyText = !file && draft.appointmentId === undefined
  const said = isOnlyText && text ? await sayAsClient(context, scope, { chatId, clientId, text }) : null
  if (said) return said
  const seat = await seatOf(context, scope, chatId)
  if (seat.side === 'client' && (await isBlockedAt(context.database.prepared, scope, seat.instituteId))) throw refuse('forbidden')
  const { db } = context.database
  const known = file && (await findByKey(db, seat, clientId))
  return written(context, seat, known ?? (await writeMessage(context, { seat, scope }, draft, file)))
}

async function written(context: AppContext, seat: ChatScope, id: string): Promise<ChatMessage> {
  context.live.wake()
  const row = await readMessage(context.database.prepared, seat, id)
  if (!row) throw refuse('not_found')
  return messageForWire(context, row)
}

/** One side has blocked the other, or the site has stopped the two, which alone is told. */
const whyClosed = async (context: AppContext, seat: ChatScope): Promise<Error> =>
  refuse((await isStopped(context.database.prepared, seat)) ? 'chat_stopped' : 'forbidden')

async function idOf(context: AppContext, seat: ChatScope, made: { id: string } | null): Promise<string> {
  if (!made) throw await whyClosed(context, seat)
  return made.id
}

export interface FreeTimeOffer {
  chatId: string
  clientId: string
  services: readonly { serviceId: string; staffId?: string | undefined }[]
  startsAt: string
}

/** Free when it is offered, and held for nobody. @throws not_found for what is on no menu of the institute; slot_taken; forbidden while one side has blocked the other, chat_stopped while the site has */
export async function offerFreeTime(
  context: AppContext,
  scope: InstituteScope<'messages.answer'>,
  { chatId, clientId: key, services, startsAt }: FreeTimeOffer,
): Promise<ChatMessage> {
  const seat = await deskSeatOf(context, scope, chatId)
  const { db, prepared } = context.database
  const known = await findByKey(db, seat, key)
  if (known !== null) return written(context, seat, known)
  const cart = services.map(({ serviceId, staffId = 'any' }) => (staffId === 'any' ? { serviceId } : { serviceId, memberId: staffId }))
  const found = await freeTimeAt(context, { instituteId: seat.instituteId, cart, startsAt: parseInstant(startsAt) })
  if (!found) throw refuse('slot_taken')
  const freeTime: NewMessage['freeTime'] = {
    startsAt: found.startsAt,
    endsAt: found.endsAt,
    timeZone: found.timeZone,
    services: found.services.map(({ memberId, memberName, ...service }) => ({ ...service, staffId: memberId, staffName: memberName })),
  }
  const message = { key, text: null, file: null, appointmentId: null, freeTime, actor: seat.actor, now: new Date(context.clock.now()) }
  return written(context, seat, await idOf(context, seat, await insertMessage(prepared, seat, message)))
}

async function writeMessage(
  context: AppContext,
  { seat, scope }: { seat: ChatScope; scope: Person },
  draft: Draft,
  file: SentFile | undefined,
): Promise<string> {
  const { db, prepared } = context.database
  const text = draft.text || null
  const appointmentId = draft.appointmentId ?? null
  if (text === null && !file && appointmentId === null) throw refuse('bad_input', { fields: { text: 'required' } })
  if (appointmentId !== null && !(await isTheirVisit(db, seat, appointmentId))) throw refuse('not_found')
  const message = { key: draft.clientId, text, appointmentId, freeTime: null, actor: seat.actor, now: new Date(context.clock.now()) }
  if (!file) return idOf(context, seat, await insertMessage(prepared, seat, { ...message, file: null }))
  const media = isPdf(file.bytes) ? 'document' : 'image'
  const taken = await takeFile(context, scope, media === 'document' ? 'message_document' : 'message_picture', file)
  return inTransaction(db, async (transaction) => {
    const made = await insertMessage(transaction, seat, { ...message, file: { id: taken.id, media } })
    if (made?.isNew) await useFile(transaction, scope, taken)
    return idOf(context, seat, made)
  })
}

export async function messagesOf(
  context: AppContext,
  scope: Person,
  id: string,
  { page, pageSize, ...asked }: Paged & Pick<MessagePage, 'before' | 'after' | 'media'>,
): Promise<{ items: ChatMessage[]; total: number } & Paged> {
  const seat = await seatOf(context, scope, id)
  const wanted: MessagePage = { ...asked, offset: (page - 1) * pageSize, limit: pageSize }
  const rows = await listMessages(context.database.db, seat, wanted)
  const isBackwards = asked.after === undefined && asked.media === null
  const items = (isBackwards ? rows.toReversed() : rows).map((row) => messageForWire(context, row))
  return { items, page, pageSize, total: await countMessages(context.database.db, seat, wanted) }
}

export { closeChatReport, decideOnChat, openChatReports } from './reports.ts'
