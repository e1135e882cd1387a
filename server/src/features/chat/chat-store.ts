/** Conversations as they are stored: one row with how far each side has come. */
import { type ChatSide, chatSides } from '@soigne/contract/chat'
import { type RawBuilder, sql } from 'kysely'
import type { Actor, SelfScope, SystemScope, InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { spellingsOf } from '#/platform/spellings.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** Proof that somebody is on a side of a conversation; `sides.ts` makes it. */
export interface ChatScope {
  readonly scope: SelfScope<true> | InstituteScope<'messages.answer'>
  /** Who speaks. */
  readonly userId: string
  readonly side: ChatSide
  readonly chatId: string
  readonly instituteId: string
  /** The client of the conversation. */
  readonly clientId: string
  /** Kept with what they do there. */
  readonly actor: Actor
}

/** Whose conversations are listed: one's own, or those of the institute one works for. */
export type DeskScope = { readonly side: 'client'; readonly userId: string } | { readonly side: 'institute'; readonly instituteId: string }

const parties = { id: c.uuid, clientId: c.uuid, instituteId: c.uuid }
const find = statement(
  { name: 'chat.parties', row: parties, tries: [someId] },
  (id: string) => sql`select id, user_id as "clientId", institute_id as "instituteId" from chats where id = ${id}`,
)
/** Who speaks in a conversation: whoever asks has to be one of them. */
export const findParties = (db: Db, _scope: ChatScope['scope'], id: string): Promise<RowOf<typeof parties> | null> => find.one(db, id)

const opening = { id: orNull(c.uuid), isBookable: known(c.bool) }
const open = statement(
  { name: 'chat.open', row: opening, tries: [{ userId: someId, instituteId: someId, now: new Date(0) }] },
  ({ userId, instituteId, now }: { userId: string; instituteId: string; now: Date }) => sql`
    with institute as (select id, claimed from institutes where id = ${instituteId} and state = 'published'),
      made as (insert into chats (user_id, institute_id, created_at, updated_at)
        select ${userId}, id, ${now}, ${now} from institute where claimed
        on conflict (user_id, institute_id) do update set client_archived = false returning id)
    select (select id from made) as id, claimed as "isBookable" from institute`,
)
/** The conversation of a person with an institute, made where there was none; null for an institute that is not there. */
export const openChat = (
  db: Db,
  scope: SelfScope<true>,
  asked: { instituteId: string; now: Date },
): Promise<RowOf<typeof opening> | null> => open.one(db, { userId: scope.userId, ...asked })

/** A column of one side. */
const of = (which: ChatSide, column: string): RawBuilder<unknown> => sql.ref(`c.${which}_${column}`)

const chatRow = {
  id: c.uuid,
  instituteId: c.uuid,
  slug: c.text,
  instituteName: c.text,
  coverUrl: known(c.text),
  category: known(c.text),
  city: c.text,
  clientId: c.uuid,
  clientName: known(c.text),
  clientImageKey: orNull(c.text),
  lastSeq: c.int,
  cleared: c.int,
  unread: c.int,
  isArchived: c.bool,
  isBlocked: c.bool,
  isStopped: known(c.bool),
  isAcquainted: known(c.bool),
  updatedAt: c.instant,
}
export type ChatRow = RowOf<typeof chatRow>

const columns = (which: ChatSide): RawBuilder<unknown> => sql`c.id, i.id as "instituteId", i.slug, i.name as "instituteName",
  coalesce((select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1), '/art/cover/' || i.categories[1] || '/' || i.slug || '.svg') as "coverUrl",
  i.categories[1] as category, i.city, u.id as "clientId", trim(u.first_name || ' ' || u.last_name) as "clientName", u.image_key as "clientImageKey",
  c.last_seq as "lastSeq", ${of(which, 'cleared')} as cleared, ${of(which, 'unread')} as unread, ${of(which, 'archived')} as "isArchived", ${of(which, 'blocked')} as "isBlocked", c.stopped_at is not null as "isStopped",
  exists (select from appointments a where a.user_id = c.user_id and a.institute_id = c.institute_id and coalesce(a.life, life_of_status(a.status)) = 'booked') as "isAcquainted",
  c.updated_at as "updatedAt"`
const tables = sql`chats c join institutes i on i.id = c.institute_id join users u on u.id = c.user_id`

const one = statement(
  { name: 'chat.one', row: chatRow, tries: chatSides.map((which) => ({ which, id: someId })) as [{ which: ChatSide; id: string }] },
  ({ which, id }: { which: ChatSide; id: string }) => sql`select ${columns(which)} from ${tables} where c.id = ${id}`,
)
export const readChat = (db: Db, seat: ChatScope): Promise<ChatRow | null> => one.one(db, { which: seat.side, id: seat.chatId })

export interface ChatFilter {
  archived: boolean
  unread: boolean
  search: string
}
interface Listed extends ChatFilter {
  desk: DeskScope
}
const ofDesk = (desk: DeskScope): RawBuilder<unknown> =>
  desk.side === 'client' ? sql`c.user_id = ${desk.userId}` : sql`c.institute_id = ${desk.instituteId}`
/** Whatever its accents, and however its Arabic is spelt; where it has no word, as it stands. */
function isSaid(search: string, word: string): RawBuilder<unknown> {
  const pattern = spellingsOf(search)
  return pattern === null ? sql`m.text ilike ${word}` : sql`(m.text collate pg_c_utf8) ~* ${pattern}`
}
/** A conversation is shown while it has a message that its reader has not deleted. */
const shown = ({ desk, archived, unread, search }: Listed): RawBuilder<unknown> => {
  const word = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const partner = desk.side === 'client' ? sql`i.name` : sql`u.first_name || ' ' || u.last_name`
  return sql`${ofDesk(desk)} and c.last_seq > ${of(desk.side, 'cleared')} and ${of(desk.side, 'archived')} = ${archived}
    ${unread ? sql`and ${of(desk.side, 'unread')} > 0` : sql``}
    ${
      search === ''
        ? sql``
        : sql`and (${partner} ilike ${word} or (fold_name(${search}) <> '' and position(fold_name(${search}) in fold_name(${partner})) > 0) or exists (select from messages m where m.chat_id = c.id and m.seq > ${of(desk.side, 'cleared')} and ${isSaid(search, word)}))`
    }`
}
const desks: DeskScope[] = [
  { side: 'client', userId: someId },
  { side: 'institute', instituteId: someId },
]
const listings = (): Listed[] =>
  desks.flatMap((desk) => [true, false].flatMap((unread) => ['', 'a', '%'].map((search) => ({ desk, archived: false, unread, search }))))
const list = statement(
  { name: 'chat.list', row: chatRow, tries: () => listings().map((listed) => ({ ...listed, offset: 0, limit: 1 })) as never },
  (asked: Listed & { offset: number; limit: number }) => sql`select ${columns(asked.desk.side)} from ${tables}
    where ${shown(asked)} order by c.updated_at desc, c.id limit ${asked.limit} offset ${asked.offset}`,
)
export const listChats = (db: Db, desk: DeskScope, asked: ChatFilter & { offset: number; limit: number }): Promise<ChatRow[]> =>
  list.all(db, { desk, ...asked })

const count = statement(
  { name: 'chat.count', row: { total: known(c.int) }, tries: listings as never },
  (asked: Listed) => sql`select count(*)::int as total from ${tables} where ${shown(asked)}`,
)
export const countChats = async (db: Db, desk: DeskScope, filter: ChatFilter): Promise<number> =>
  (await count.one(db, { desk, ...filter }))?.total ?? 0

const unread = statement(
  { name: 'chat.unread', row: { chats: known(c.int) }, tries: desks as [DeskScope] },
  (desk: DeskScope) => sql`select count(*)::int as chats from chats c where ${ofDesk(desk)} and ${of(desk.side, 'unread')} > 0`,
)
/** In how many conversations something is new. */
export const countUnread = async (db: Db, desk: DeskScope): Promise<number> => (await unread.one(db, desk))?.chats ?? 0

const bothSides = chatSides.map((which) => ({ which, id: someId })) as [{ which: ChatSide; id: string }]
const archive = statement(
  { name: 'chat.toggleArchive', row: { isArchived: c.bool }, tries: bothSides },
  ({ which, id }: { which: ChatSide; id: string }) => {
    const column = sql.ref(`${which}_archived`)
    return sql`update chats set ${column} = not ${column} where id = ${id} returning ${column} as "isArchived"`
  },
)
export const toggleArchive = async (db: Db, seat: ChatScope): Promise<boolean> =>
  (await archive.one(db, { which: seat.side, id: seat.chatId }))?.isArchived ?? false

const clear = statement(
  { name: 'chat.clear', row: { lastSeq: c.int }, tries: bothSides },
  ({ which, id }: { which: ChatSide; id: string }) => {
    const own = (column: string): RawBuilder<unknown> => sql.ref(`${which}_${column}`)
    return sql`update chats set ${own('cleared')} = last_seq, ${own('read')} = last_seq, ${own('delivered')} = last_seq, ${own('unread')} = 0,
    ${own('archived')} = false where id = ${id} returning last_seq as "lastSeq"`
  },
)
/** From now on nothing of what was said is shown to this side; up to where that was. */
export const clearChat = async (db: Db, seat: ChatScope): Promise<number> =>
  (await clear.one(db, { which: seat.side, id: seat.chatId }))?.lastSeq ?? 0

const read = statement(
  { name: 'chat.read', row: { lastSeq: c.int }, tries: bothSides },
  ({ which, id }: { which: ChatSide; id: string }) => {
    const own = (column: string): RawBuilder<unknown> => sql.ref(`${which}_${column}`)
    return sql`update chats set ${own('read')} = last_seq, ${own('delivered')} = last_seq, ${own('unread')} = 0
      where id = ${id} and ${own('unread')} > 0 returning last_seq as "lastSeq"`
  },
)
/** Up to where it was read now; null when nothing was new. */
export const markRead = async (db: Db, seat: ChatScope): Promise<number | null> =>
  (await read.one(db, { which: seat.side, id: seat.chatId }))?.lastSeq ?? null

/** A place up to which the messages of a conversation are on a screen of one side. */
export interface Delivery {
  chatId: string
  side: ChatSide
  seq: number
}
const deliver = statement(
  { name: 'chat.deliver', row: { id: known(c.uuid) }, tries: [{ places: [], actor: { kind: 'system', job: 'j' }, now: new Date(0) }] },
  ({ places, actor, now }: { places: readonly Delivery[]; actor: Actor; now: Date }) => sql`
    with come as (select "chatId" as id, coalesce(max(seq) filter (where side = 'client'), 0) as client, coalesce(max(seq) filter (where side = 'institute'), 0) as institute
        from json_to_recordset(${JSON.stringify(places)}::json) as d("chatId" uuid, side text, seq int) group by 1),
      locked as (select c.id, c.client_delivered as client, c.institute_delivered as institute from chats c where c.id in (select id from come) order by c.id for update),
      moved as (update chats c set client_delivered = greatest(c.client_delivered, least(come.client, c.last_seq)),
          institute_delivered = greatest(c.institute_delivered, least(come.institute, c.last_seq))
        from come join locked on locked.id = come.id
        where c.id = come.id and (come.client > c.client_delivered or come.institute > c.institute_delivered)
        returning c.id, c.institute_id, c.user_id, come.client > locked.client as client, come.institute > locked.institute as institute)
    insert into events (kind, institute_id, subject_id, actor, payload, at)
    select 'chat.delivered', m.institute_id, m.id, ${JSON.stringify(actor)}::jsonb, jsonb_build_object('side', s.side, 'userId', m.user_id), ${now}
      from moved m cross join lateral (values ('client', m.client), ('institute', m.institute)) as s(side, has_moved) where s.has_moved
    returning subject_id as id`,
)
/**
 * Notes and tells how far what was said has come; the conversations in which that was not known. One statement: whoever writes in any of them waits as long
 * as it takes.
 */
export const markDelivered = async (db: Db, scope: SystemScope, places: readonly Delivery[], now: Date): Promise<string[]> =>
  places.length === 0 ? [] : (await deliver.all(db, { places, actor: scope.actor, now })).map(({ id }) => id)

const block = statement(
  { name: 'chat.block', row: {}, tries: bothSides.map((one) => ({ ...one, blocked: true })) as never },
  ({ which, id, blocked }: { which: ChatSide; id: string; blocked: boolean }) =>
    sql`update chats set ${sql.ref(`${which}_blocked`)} = ${blocked} where id = ${id}`,
)
export const setBlocked = (db: Db, seat: ChatScope, blocked: boolean): Promise<number> =>
  block.run(db, { which: seat.side, id: seat.chatId, blocked })

const heard = statement(
  { name: 'chat.isHeard', row: { isHeard: known(c.bool) }, tries: [{ id: someId, userId: someId }] },
  ({ id, userId }: { id: string; userId: string }) => sql`select not client_blocked and not institute_blocked and stopped_at is null
      and not (user_id = ${userId} and is_blocked_at(institute_id, user_id)) as "isHeard" from chats where id = ${id}`,
)
/** Whether what somebody of a conversation writes there reaches the other side. */
export const isHeard = async (db: Db, scope: SelfScope, id: string): Promise<boolean> =>
  (await heard.one(db, { id, userId: scope.userId }))?.isHeard ?? false
