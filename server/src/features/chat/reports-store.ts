/** What people say is wrong with a conversation, and what was said there up to then. */
import { chatSides } from '@soigne/contract/chat'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { ChatScope } from './chat-store.ts'

const report = statement(
  { name: 'chat.report', row: {}, tries: [{ chatId: someId, userId: someId, reason: 'r', now: new Date(0) }] },
  ({ chatId, userId, reason, now }: { chatId: string; userId: string; reason: string; now: Date }) =>
    sql`insert into chat_reports (chat_id, user_id, reason, seq, created_at) select id, ${userId}, ${reason}, last_seq, ${now} from chats where id = ${chatId}`,
)
export const insertReport = (db: Db, seat: ChatScope, { reason, now }: { reason: string; now: Date }): Promise<number> =>
  report.run(db, { chatId: seat.chatId, userId: seat.userId, reason, now })

/** So much of a conversation is read with a report. */
const mostSaid = 50
const said = z.object({ side: z.enum(chatSides), at: z.string(), text: z.nullable(z.string()), media: z.nullable(z.string()) })
const openRow = {
  reportId: c.uuid,
  conversationId: c.uuid,
  isStopped: known(c.bool),
  at: c.instant,
  institute: c.text,
  client: known(c.text),
  /** Null once the account is gone. */
  by: orNull(known(c.oneOf(chatSides))),
  reason: c.text,
  said: known(c.json(z.array(said))),
}
export type OpenReport = RowOf<typeof openRow>
const open = statement(
  { name: 'chat.openReports', row: openRow },
  () => sql`select r.id as "reportId", c.id as "conversationId", c.stopped_at is not null as "isStopped", r.created_at as at, i.name as institute, trim(u.first_name || ' ' || u.last_name) as client,
      case when r.user_id = c.user_id then 'client' when r.user_id is not null then 'institute' end as by, r.reason,
      (select coalesce(json_agg(json_build_object('side', m.side, 'at', m.created_at, 'text', m.text, 'media', m.media) order by m.seq), '[]') from messages m
        where m.chat_id = r.chat_id and m.seq <= r.seq and m.seq > r.seq - ${mostSaid}::int) as said
    from chat_reports r join chats c on c.id = r.chat_id join institutes i on i.id = c.institute_id join users u on u.id = c.user_id
    where r.decided_at is null order by r.created_at, r.id limit 200`,
)
/** Reports that wait for somebody to look, the longest first, each with what was last said before it. */
export const listOpenReports = (db: Db, _scope: SystemScope): Promise<OpenReport[]> => open.all(db)

const close = statement(
  { name: 'chat.closeReport', row: {}, tries: [{ id: someId, now: new Date(0) }] },
  ({ id, now }: { id: string; now: Date }) => sql`update chat_reports set decided_at = ${now} where id = ${id} and decided_at is null`,
)
/** False when no such report waits. */
export const closeReport = async (db: Db, _scope: SystemScope, asked: { id: string; now: Date }): Promise<boolean> =>
  (await close.run(db, asked)) > 0

const decidedRow = { instituteId: c.uuid, userId: c.uuid }
const decide = statement(
  { name: 'chat.decide', row: decidedRow, tries: [{ id: someId, stoppedAt: null }] },
  ({ id, stoppedAt }: { id: string; stoppedAt: Date | null }) => sql`update chats set stopped_at = ${stoppedAt}
    where id = ${id} and (stopped_at is null) = (${stoppedAt}::timestamptz is not null) returning institute_id as "instituteId", user_id as "userId"`,
)
/** Stops a conversation, or allows it again; whose it is, null where there is nothing to change. */
export const decideChat = (
  db: Db,
  _scope: SystemScope,
  asked: { id: string; stoppedAt: Date | null },
): Promise<RowOf<typeof decidedRow> | null> => decide.one(db, asked)

const stopped = statement(
  { name: 'chat.isStopped', row: { isStopped: known(c.bool) }, tries: [someId] },
  (id: string) => sql`select stopped_at is not null as "isStopped" from chats where id = ${id}`,
)
export const isStopped = async (db: Db, seat: ChatScope): Promise<boolean> => (await stopped.one(db, seat.chatId))?.isStopped ?? false
