/** Messages as they are stored, each at its place in a conversation. */
import { chatSides, mediaTypes, messageStatuses } from '@soigne/contract/chat'
import { locales } from '@soigne/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Actor, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { asLongAsAny } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { ChatScope } from './chat-store.ts'

const visit = z.object({
  appointmentId: z.string(),
  /** Instants as Postgres writes them. */
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  isCancelled: z.boolean(),
  services: z.array(z.partialRecord(z.enum(locales), z.string())),
})

const freeTime = z.object({
  /** Instants, ISO. */
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  services: z.array(
    z.object({
      serviceId: z.string(),
      name: z.partialRecord(z.enum(locales), z.string()),
      staffId: z.nullable(z.string()),
      staffName: z.nullable(z.string()),
    }),
  ),
})

const messageRow = {
  id: c.uuid,
  chatId: c.uuid,
  seq: c.int,
  side: c.oneOf(chatSides),
  senderId: orNull(c.uuid),
  clientId: c.text,
  text: orNull(c.text),
  media: orNull(c.oneOf(mediaTypes)),
  fileKey: orNull(c.text),
  fileName: orNull(c.text),
  fileBytes: orNull(c.int),
  width: orNull(c.int),
  height: orNull(c.int),
  visit: orNull(c.json(visit)),
  freeTime: orNull(c.json(freeTime)),
  status: known(c.oneOf(messageStatuses)),
  createdAt: c.instant,
}
export type MessageRow = RowOf<typeof messageRow>

const columns = sql`m.id, m.chat_id as "chatId", m.seq, m.side, m.sender_id as "senderId", m.client_id as "clientId", m.text, m.media,
  f.key as "fileKey", f.name as "fileName", f.bytes as "fileBytes", f.width, f.height,
  (select json_build_object('appointmentId', a.id, 'startsAt', a.starts_at, 'endsAt', a.ends_at, 'timeZone', a.time_zone,
      'isCancelled', coalesce(a.life, life_of_status(a.status)) = 'cancelled',
      'services', coalesce((select json_agg(s.snapshot -> 'name' order by s.position) from segments s where s.appointment_id = a.id), '[]'::json))
    from appointments a where a.id = m.appointment_id) as visit, m.free_time as "freeTime",
  case when m.seq <= case m.side when 'client' then c.institute_read else c.client_read end then 'read'
    when m.seq <= case m.side when 'client' then c.institute_delivered else c.client_delivered end then 'delivered' else 'sent' end as status,
  m.created_at as "createdAt"`
const tables = sql`messages m join chats c on c.id = m.chat_id left join files f on f.id = m.file_id and f.state = 'used'`
const clearedOf = ({ side }: Pick<ChatScope, 'side'>): RawBuilder<unknown> => sql.ref(`c.${side}_cleared`)

export interface NewMessage {
  key: string
  text: string | null
  file: { id: string; media: 'image' | 'document' } | null
  appointmentId: string | null
  freeTime: z.output<typeof freeTime> | null
  actor: Actor
  now: Date
}
const sent = { id: known(c.uuid), seq: known(c.int), isNew: known(c.bool) }
const send = statement(
  {
    name: 'chat.send',
    row: sent,
    tries: [
      {
        chatId: someId,
        side: 'client',
        userId: someId,
        message: {
          key: 'k',
          text: 't',
          file: null,
          appointmentId: null,
          freeTime: null,
          actor: { kind: 'client', userId: someId },
          now: new Date(0),
        },
      },
    ],
  },
  ({ chatId, side, userId, message }: { chatId: string; side: string; userId: string; message: NewMessage }) =>
    sql`select message_id as id, place as seq, is_new as "isNew" from write_message(${chatId}, ${side}, ${userId}, ${message.key}, ${message.text},
      ${message.file?.id ?? null}, ${message.file?.media ?? null}, ${message.appointmentId},
      ${message.freeTime && JSON.stringify(message.freeTime)}::jsonb, ${JSON.stringify(message.actor)}::jsonb, ${message.now})`,
)
/** The message that was made of a key, now or before; null while one side has blocked the other. */
export const insertMessage = (db: Db, seat: ChatScope, message: NewMessage): Promise<RowOf<typeof sent> | null> =>
  send.one(db, { chatId: seat.chatId, side: seat.side, userId: seat.userId, message })

/** A text of a client in a conversation of theirs. */
export interface OwnText {
  chatId: string
  key: string
  text: string
  now: Date
}
const said = { outcome: known(c.oneOf(['new', 'known', 'blocked', 'elsewhere'])), id: orNull(c.uuid), seq: orNull(c.int) }
export type Said = RowOf<typeof said>
interface Saying {
  userIds: readonly string[]
  texts: readonly OwnText[]
}
const say = statement({ name: 'chat.say', row: said, tries: [{ userIds: [], texts: [] }] }, ({ userIds, texts }: Saying) => {
  const all = (of: (text: OwnText) => string): string[] => texts.map(of)
  return sql`select outcome, message_id as id, place as seq
    from write_as_clients(${all(({ chatId }) => chatId)}::uuid[], ${userIds}::uuid[], ${all(({ key }) => key)}::text[],
      ${all(({ text }) => text)}::text[], ${all(({ now }) => now.toISOString())}::timestamptz[]) order by nth`
})
/** Texts and who writes each: each once, however often it is sent, in their order; `elsewhere` where the conversation is none of theirs. */
export const insertTexts = (db: Db, writers: readonly SelfScope<true>[], texts: readonly OwnText[]): Promise<Said[]> =>
  say.all(db, { userIds: writers.map(({ userId }) => userId), texts })

/** A text that was just written, as reading it would give it. */
export const writtenText = (
  { chatId, side, userId }: Pick<ChatScope, 'chatId' | 'side' | 'userId'>,
  { id, seq, clientId, text, createdAt }: Pick<MessageRow, 'id' | 'seq' | 'clientId' | 'text' | 'createdAt'>,
): MessageRow => ({
  id,
  chatId,
  seq,
  side,
  senderId: userId,
  clientId,
  text,
  createdAt,
  status: 'sent',
  media: null,
  fileKey: null,
  fileName: null,
  fileBytes: null,
  width: null,
  height: null,
  visit: null,
  freeTime: null,
})

const byKey = statement(
  { name: 'chat.byKey', row: { id: c.uuid }, tries: [{ chatId: someId, userId: someId, key: 'k' }] },
  ({ chatId, userId, key }: { chatId: string; userId: string; key: string }) =>
    sql`select id from messages where chat_id = ${chatId} and sender_id = ${userId} and client_id = ${key}`,
)
export const findByKey = async (db: Db, seat: ChatScope, key: string): Promise<string | null> =>
  (await byKey.one(db, { chatId: seat.chatId, userId: seat.userId, key }))?.id ?? null

const byIds = statement(
  { name: 'chat.messagesById', row: messageRow, tries: [[someId]] },
  (ids: readonly string[]) => sql`select ${columns} from ${tables} where m.id = any(${asLongAsAny(ids)}::uuid[]) order by m.chat_id, m.seq`,
)
/** For those who were told of them: the sockets of both sides. */
export const readMessages = (db: Db, _scope: SystemScope, ids: readonly string[]): Promise<MessageRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : byIds.all(db, ids)
const own = statement(
  { name: 'chat.message', row: messageRow, tries: [{ chatId: someId, id: someId }] },
  ({ chatId, id }: { chatId: string; id: string }) => sql`select ${columns} from ${tables} where m.id = ${id} and m.chat_id = ${chatId}`,
)
export const readMessage = (db: Db, seat: ChatScope, id: string): Promise<MessageRow | null> => own.one(db, { chatId: seat.chatId, id })

const last = statement(
  { name: 'chat.lastMessages', row: messageRow, tries: [[someId]] },
  // By its place, in each: where most conversations are short, any index that begins with the conversation is believed to be as good.
  (chatIds: readonly string[]) => sql`select ${columns} from chats c
    cross join lateral (select * from messages said where said.chat_id = c.id and said.seq <= c.last_seq order by said.seq desc limit 1) m
    left join files f on f.id = m.file_id and f.state = 'used' where c.id = any(${chatIds}::uuid[])`,
)
/** The last message of each conversation that has one. */
export const readLastMessages = async (
  db: Db,
  _scope: ChatScope['scope'] | SelfScope | SystemScope,
  chatIds: readonly string[],
): Promise<Map<string, MessageRow>> => new Map((chatIds.length === 0 ? [] : await last.all(db, chatIds)).map((row) => [row.chatId, row]))

export interface MessagePage {
  before: number | undefined
  after: number | undefined
  /** Of those with files alone: of one type, or of both. */
  media: 'image' | 'document' | 'any' | null
  offset: number
  limit: number
}
type Asked = MessagePage & Pick<ChatScope, 'side' | 'chatId'>
const within = ({
  side,
  chatId,
  before,
  after,
  media,
}: Asked): RawBuilder<unknown> => sql`m.chat_id = ${chatId} and m.seq > ${clearedOf({ side })}
  ${before === undefined ? sql`` : sql`and m.seq < ${before}`} ${after === undefined ? sql`` : sql`and m.seq > ${after}`}
  ${media === null ? sql`` : media === 'any' ? sql`and m.media is not null` : sql`and m.media = ${media}`}`
const pages = (): Asked[] =>
  chatSides.flatMap((side) =>
    ([[], ['before'], ['after'], ['before', 'after']] as const).flatMap((bounds) =>
      ([null, 'any', 'image'] as const).map((media) => ({
        side,
        chatId: someId,
        before: (bounds as readonly string[]).includes('before') ? 9 : undefined,
        after: (bounds as readonly string[]).includes('after') ? 1 : undefined,
        media,
        offset: 0,
        limit: 1,
      })),
    ),
  )
const list = statement(
  { name: 'chat.messages', row: messageRow, tries: pages as never },
  // Whoever asks for what was missed reads on from there; everybody else reads backwards.
  (asked: Asked) => sql`select ${columns} from ${tables} where ${within(asked)}
    order by m.seq ${asked.after === undefined ? sql`desc` : sql`asc`} limit ${asked.limit} offset ${asked.offset}`,
)
export const listMessages = (db: Db, scope: ChatScope, page: MessagePage): Promise<MessageRow[]> =>
  list.all(db, { side: scope.side, chatId: scope.chatId, ...page })

const count = statement(
  { name: 'chat.countMessages', row: { total: known(c.int) }, tries: pages as never },
  (asked: Asked) => sql`select count(*)::int as total from messages m join chats c on c.id = m.chat_id where ${within(asked)}`,
)
export const countMessages = async (db: Db, scope: ChatScope, page: MessagePage): Promise<number> =>
  (await count.one(db, { side: scope.side, chatId: scope.chatId, ...page }))?.total ?? 0

const visitOfClient = statement(
  { name: 'chat.visitOfClient', row: { one: known(c.int) }, tries: [{ clientId: someId, instituteId: someId, id: someId }] },
  ({ clientId, instituteId, id }: { clientId: string; instituteId: string; id: string }) =>
    sql`select 1 as one from appointments a where a.id = ${id} and a.user_id = ${clientId} and a.institute_id = ${instituteId}
      and coalesce(a.life, life_of_status(a.status)) in ('booked', 'cancelled')`,
)
/** Whether a visit is of the two that speak here: no other can be shown. */
export const isTheirVisit = async (db: Db, scope: ChatScope, id: string): Promise<boolean> =>
  (await visitOfClient.one(db, { clientId: scope.clientId, instituteId: scope.instituteId, id })) !== null
