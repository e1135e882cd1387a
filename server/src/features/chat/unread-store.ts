/** Messages that nobody has read for a while, and those who should. */
import { type ChatSide, chatSides } from '@soigne/contract/chat'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

interface Asked {
  /** Unread for so long, and no longer than that. */
  before: Date
  after: Date
  /** Of conversations after this one, in the order of their ids. */
  past: string
  /** Levels of an institute's people who answer. */
  levels: readonly string[]
  most: number
}
const row = {
  chatId: c.uuid,
  instituteId: c.uuid,
  timeZone: c.text,
  side: known(c.oneOf(chatSides)),
  /** How far its reader has come; a letter for each place at most. */
  read: known(c.int),
  userId: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
  /** Who wrote. */
  from: known(c.text),
}
export type UnreadChat = RowOf<typeof row>

export const unreadKey = ({ chatId, side, read, userId }: { chatId: string; side: ChatSide; read: number; userId: string }): string =>
  `unread:${chatId}:${side}:${read}:${userId}`

const list = statement(
  { name: 'chat.longUnread', row, tries: [{ before: new Date(0), after: new Date(0), past: someId, levels: ['owner'], most: 1 }] },
  ({ before, after, past, levels, most }: Asked) => sql`
    select c.id as "chatId", c.institute_id as "instituteId", i.time_zone as "timeZone", s.side, s.read, u.id as "userId", u.email::text as email,
      u.first_name as "firstName", u.locale, case s.side when 'client' then i.name else trim(w.first_name || ' ' || w.last_name) end as "from"
    from chats c join institutes i on i.id = c.institute_id join users w on w.id = c.user_id
      cross join lateral (values ('client', c.client_unread, greatest(c.client_read, c.client_cleared), c.client_blocked),
        ('institute', c.institute_unread, greatest(c.institute_read, c.institute_cleared), c.institute_blocked)) as s(side, unread, read, blocked)
      cross join lateral (select min(m.created_at) as since from messages m where m.chat_id = c.id and m.seq > s.read and m.side <> s.side) as first
      join users u on case s.side when 'client' then u.id = c.user_id
        else u.id in (select p.user_id from institute_people p where p.institute_id = c.institute_id and p.level = any(${levels}::text[])) end
    where c.id > ${past} and c.stopped_at is null and (c.client_unread > 0 or c.institute_unread > 0) and c.updated_at > ${after} and s.unread > 0 and not s.blocked
      and first.since <= ${before} and first.since > ${after}
      and not exists (select from notification_choices q where q.user_id = u.id and q.kind = 'messages' and q.channel = 'mail')
      and not (s.side = 'institute' and exists (select from team_notification_choices t where t.institute_id = c.institute_id and t.user_id = u.id
        and t.kind = 'messages' and t.channel = 'mail' and not t.is_on))
      and not exists (select from mails l where l.dedupe_key = 'unread:' || c.id || ':' || s.side || ':' || s.read || ':' || u.id)
    order by c.id, u.id limit ${most}`,
)
export const longUnread = (db: Db, _scope: SystemScope, asked: Asked): Promise<UnreadChat[]> => list.all(db, asked)
