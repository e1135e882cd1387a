/** What people were told, as it is stored. */
import type { ChoiceKind, TeamKind } from '@soigne/contract/notifications'
import { leaveKinds } from '@soigne/contract/team'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** The first three tell a client of a visit, the next three the people of its institute; the next two of a review and of its answer, then of a time that is held for who waits; the three after them of another time that is proposed, of an institute that runs late, and that it does not any more. The three of leave tell who may answer of days off that are asked for, and who asked of the answer; the two after them a client and the people of the institute of a visit that lost a service, the two after those of one at home that is at another address, the one after them whose calendar lets us in no more, and the last two an owner what became of the check of their business. */
export const notificationKinds = [
  'booked',
  'moved',
  'cancelled',
  'came',
  'went',
  'changed',
  'reminder',
  'reviewed',
  'replied',
  'offered',
  'proposed',
  'late',
  'on_time',
  'leave_asked',
  'leave_agreed',
  'leave_declined',
  'shortened',
  'shorter',
  'readdressed',
  'new_address',
  'calendar_lost',
  'business_accepted',
  'business_refused',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

const facts = z.object({
  institute: z.string(),
  client: z.string(),
  /** Each with the name of who does it, in the order of the visit. */
  services: z.array(z.object({ name: z.partialRecord(z.enum(locales), z.string()), member: z.string() })),
  /** Instants, ISO. */
  startsAt: z.string(),
  before: z.exactOptional(z.string()),
  timeZone: z.string(),
  /** Until when it is held. */
  until: z.exactOptional(z.string()),
  /** Of a review: how many of five, and the page it stands on. */
  rating: z.exactOptional(z.number()),
  slug: z.exactOptional(z.string()),
  /** Of a series: how many visits more than this one. */
  more: z.exactOptional(z.number()),
  /** Of days off: the first is `startsAt`, and the last begins at `lastAt`. `client` is who asks. */
  leave: z.exactOptional(z.object({ kind: z.enum(leaveKinds), lastAt: z.string(), reason: z.exactOptional(z.string()) })),
  /** Why the check of a business was refused. */
  reason: z.exactOptional(z.string()),
})
/** Of those that people may silence. */
const choiceOf: Partial<Record<NotificationKind, ChoiceKind>> = {
  reminder: 'reminders',
  reviewed: 'reviews',
  replied: 'reviews',
  offered: 'offers',
}
/** Of those that an institute chooses for its people. */
export const teamKindOf: Partial<Record<NotificationKind, TeamKind>> = {
  came: 'booked',
  changed: 'moved',
  went: 'cancelled',
  reviewed: 'reviews',
  leave_asked: 'leave',
}
/** What it tells, as it was. */
export type NotificationFacts = z.output<typeof facts>

/** To one user, or to the people of an institute: of the levels named, or else those who look after its diary, of whom staff hear of their own visits alone. Whoever did it knows. */
export type Told = { userId: string } | { instituteId: string; memberIds: string[]; levels?: string[]; exceptUserId: string | null }
export interface NewNotification {
  to: Told
  kind: NotificationKind
  appointmentId: string | null
  facts: NotificationFacts
  /** The fact this tells; nobody is told the same twice. */
  dedupeKey: string
  at: Date
}

const insert = statement(
  { name: 'notifications.insert', row: { userId: c.uuid }, tries: [[]] },
  (told: readonly NewNotification[]) => sql`
    insert into notifications (user_id, kind, appointment_id, facts, dedupe_key, created_at)
    select coalesce(n."userId", p.user_id), n.kind, n."appointmentId", n.facts, n."dedupeKey", n.at
    from json_to_recordset(${JSON.stringify(told.map(({ to, ...one }, position) => ({ ...to, ...one, choice: choiceOf[one.kind] ?? null, teamChoice: teamKindOf[one.kind] ?? null, position })))}::json)
        as n("userId" uuid, "instituteId" uuid, "memberIds" jsonb, levels jsonb, "exceptUserId" uuid, kind text, choice text, "teamChoice" text, "appointmentId" uuid, facts jsonb, "dedupeKey" text, at timestamptz, position int)
      left join institute_people p on n."userId" is null and p.institute_id = n."instituteId" and p.user_id is distinct from n."exceptUserId"
        and case when n.levels is null then p.level <> 'staff' or n."memberIds" @> to_jsonb(p.member_id) else n.levels ? p.level end
    where coalesce(n."userId", p.user_id) is not null and (n.choice is null or not exists (select from notification_choices q
      where q.user_id = coalesce(n."userId", p.user_id) and q.kind = n.choice and q.channel = 'bell'))
      and (n."userId" is not null or n."teamChoice" is null or not exists (select from team_notification_choices q
        where q.institute_id = n."instituteId" and q.user_id = p.user_id and q.kind = n."teamChoice" and q.channel = 'bell' and not q.is_on))
    order by n.position on conflict do nothing returning user_id as "userId"`,
)
/** Gives who was told something new: those who silenced it are not. */
export const insertNotifications = async (db: Db, told: readonly NewNotification[]): Promise<string[]> =>
  told.length === 0 ? [] : (await insert.all(db, told)).map(({ userId }) => userId)

const row = {
  id: c.uuid,
  kind: c.oneOf(notificationKinds),
  appointmentId: orNull(c.uuid),
  facts: c.json(facts),
  createdAt: c.instant,
  isRead: known(c.bool),
}
export type NotificationRow = RowOf<typeof row>

interface Page {
  userId: string
  offset: number
  limit: number
}
const list = statement(
  { name: 'notifications.list', row, tries: [{ userId: someId, offset: 0, limit: 1 }] },
  ({
    userId,
    offset,
    limit,
  }: Page) => sql`select id, kind, appointment_id as "appointmentId", facts, created_at as "createdAt", read_at is not null as "isRead"
    from notifications where user_id = ${userId} order by id desc limit ${limit} offset ${offset}`,
)
/** Newest first. */
export const listNotifications = (db: Db, scope: SelfScope, page: Omit<Page, 'userId'>): Promise<NotificationRow[]> =>
  list.all(db, { userId: scope.userId, ...page })

const counts = statement(
  { name: 'notifications.count', row: { total: known(c.int), unread: known(c.int) }, tries: [someId] },
  (userId: string) => sql`select count(*)::int as total, (count(*) filter (where read_at is null))::int as unread
    from notifications where user_id = ${userId}`,
)
export const countNotifications = async (db: Db, scope: SelfScope): Promise<{ total: number; unread: number }> =>
  (await counts.one(db, scope.userId)) ?? { total: 0, unread: 0 }

const unreadRow = { userId: c.uuid, unread: known(c.int) }
const unreadOf = statement(
  { name: 'notifications.unreadOf', row: unreadRow, tries: [[someId]] },
  (userIds: readonly string[]) => sql`select u.id as "userId",
      (select count(*)::int from notifications n where n.user_id = u.id and n.read_at is null) as unread
    from users u where u.id = any(${userIds}::uuid[])`,
)
/** How much each of these has not read. */
export const countUnread = (db: Db, _scope: SystemScope, userIds: readonly string[]): Promise<RowOf<typeof unreadRow>[]> =>
  unreadOf.all(db, userIds)

const read = statement(
  { name: 'notifications.read', row: { isNew: known(c.bool) }, tries: [{ userId: someId, id: someId, now: new Date(0) }] },
  ({ userId, id, now }: { userId: string; id: string; now: Date }) =>
    sql`update notifications n set read_at = coalesce(n.read_at, ${now})
      from (select id, read_at from notifications where id = ${id} and user_id = ${userId} for update) as old
      where n.id = old.id returning old.read_at is null as "isNew"`,
)
/** Whether it was not read yet; null when it is not theirs. */
export const markRead = async (db: Db, scope: SelfScope, asked: { id: string; now: Date }): Promise<boolean | null> =>
  (await read.one(db, { userId: scope.userId, ...asked }))?.isNew ?? null

const readAll = statement(
  { name: 'notifications.readAll', row: {}, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) =>
    sql`update notifications set read_at = ${now} where user_id = ${userId} and read_at is null`,
)
export const markAllRead = (db: Db, scope: SelfScope, now: Date): Promise<number> => readAll.run(db, { userId: scope.userId, now })

const remove = statement(
  { name: 'notifications.remove', row: { id: c.uuid }, tries: [{ userId: someId, id: someId }] },
  ({ userId, id }: { userId: string; id: string }) => sql`delete from notifications where id = ${id} and user_id = ${userId} returning id`,
)
/** False when it is not theirs. */
export const deleteNotification = async (db: Db, scope: SelfScope, id: string): Promise<boolean> =>
  (await remove.one(db, { userId: scope.userId, id })) !== null

const untold = statement(
  { name: 'notifications.untell', row: {}, tries: [{ userId: someId, kind: 'calendar_lost' }] },
  ({ userId, kind }: { userId: string; kind: NotificationKind }) =>
    sql`delete from notifications where user_id = ${userId} and kind = ${kind}`,
)
export const deleteOfKind = (db: Db, scope: SelfScope, kind: NotificationKind): Promise<number> =>
  untold.run(db, { userId: scope.userId, kind })

const forget = statement(
  { name: 'notifications.forget', row: {}, tries: [new Date(0)] },
  (before: Date) => sql`delete from notifications where id in (select id from notifications where created_at < ${before} limit 1000)`,
)
/** Those told before; a thousand at a time. */
export const forgetNotifications = (db: Db, _scope: SystemScope, before: Date): Promise<number> => forget.run(db, before)
