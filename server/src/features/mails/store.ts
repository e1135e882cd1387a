import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const attachment = z.object({
  filename: z.string(),
  contentType: z.string(),
  content: z.string(),
  encoding: z.optional(z.literal('base64')),
})
export type Attachment = z.output<typeof attachment>

export interface NewMail {
  dedupeKey: string
  kind: string
  to: string
  subject: string
  html: string
  text: string
  attachments: Attachment[]
  userId?: string | null
  appointmentId?: string
  instituteId?: string
  /** What it carries opens nothing after this. */
  deadAfter?: Date
}

const row = {
  id: c.uuid,
  kind: c.text,
  to: c.text,
  subject: c.text,
  html: c.text,
  text: c.text,
  attachments: c.json(z.array(attachment)),
  appointmentId: orNull(c.uuid),
  createdAt: c.instant,
  sentAt: orNull(c.instant),
  deadAfter: orNull(c.instant),
}
export type StoredMail = RowOf<typeof row>
const columns = sql`id, kind, recipient as "to", subject, html, body as text, attachments, appointment_id as "appointmentId", created_at as "createdAt", sent_at as "sentAt", dead_after as "deadAfter"`

const insert = statement(
  { name: 'mails.insert', row: { id: c.uuid, appointmentId: orNull(c.uuid) }, tries: [[]] },
  (mails: readonly NewMail[]) => sql`
    insert into mails (dedupe_key, kind, recipient, subject, html, body, attachments, user_id, appointment_id, institute_id, dead_after)
    select "dedupeKey", kind, "to", subject, html, text, attachments, "userId", "appointmentId", "instituteId", "deadAfter"
    from json_to_recordset(${JSON.stringify(mails)}::json) as m("dedupeKey" text, kind text, "to" text, subject text, html text, text text, attachments jsonb, "userId" uuid, "appointmentId" uuid, "instituteId" uuid, "deadAfter" timestamptz)
    on conflict (dedupe_key) do nothing returning id, appointment_id as "appointmentId"`,
)
/** Those of facts that no mail tells yet, in their order. */
export const insertMails = (db: Db, mails: readonly NewMail[]) => insert.all(db, mails)

// Letters of one visit to one reader leave in their order: one that failed goes before those that came after it, until it is given up.
// All are looked up by id, one by one (`offset 0`): the planner takes few to be unsent, and would go over all that wait for each batch of a rush.
const due = statement(
  { name: 'mails.due', row, tries: [{ ids: [someId], most: 1 }] },
  ({ ids, most }: { ids: readonly string[]; most: number }) => sql`
    with asked as materialized (
      select m.* from unnest(${ids}::uuid[]) wanted(id) cross join lateral (select m.id, m.appointment_id, m.recipient from mails m where m.id = wanted.id offset 0) m),
    wanted as materialized (
      select id from asked union
      select e.id from asked m cross join lateral (
        select e.id from mails e where e.appointment_id = m.appointment_id and e.recipient = m.recipient and e.id < m.id and e.attempts > 0 and e.attempts < ${most} offset 0) e)
    select m.* from wanted cross join lateral (select ${columns} from mails where id = wanted.id offset 0) m where m."sentAt" is null order by m.id`,
)
/** What has to leave so that these have left, in order; without those given up after `most` attempts. */
export const dueMails = (db: Db, _scope: SystemScope, ids: readonly string[], most: number): Promise<StoredMail[]> =>
  due.all(db, { ids, most })

const find = statement({ name: 'mails.find', row, tries: [someId] }, (id: string) => sql`select ${columns} from mails where id = ${id}`)
export const findMail = (db: Db, _scope: SystemScope, id: string): Promise<StoredMail | null> => find.one(db, id)

/** Letters that carry a code or a link that opens an account. */
const isSecret = sql`kind in ('email_code', 'password_reset')`

interface Sent {
  ids: readonly string[]
  at: Date
  /** Whether they have left the house. */
  left: boolean
}
const sent = statement(
  { name: 'mails.sent', row: {}, tries: [{ ids: [someId], at: new Date(0), left: true }] },
  ({ ids, at, left }: Sent) =>
    sql`update mails set sent_at = ${at}, last_error = null, html = case when ${isSecret} and ${left} then '' else html end, body = case when ${isSecret} and ${left} then '' else body end
    where id = any(${ids}::uuid[])`,
)
/** Notes that letters are sent. What opens an account is kept no longer than it takes to get to its reader; in the mailbox of a trial they are read from here. */
export const markSent = (db: Db, _scope: SystemScope, asked: Sent): Promise<number> => sent.run(db, asked)

const blankOld = statement(
  { name: 'mails.blankOld', row: {}, tries: [new Date(0)] },
  (before: Date) =>
    sql`update mails set html = '', body = '' where ${isSecret} and body <> '' and coalesce(sent_at, created_at) < ${before}`,
)
/** Blanks what was never sent, and what the mailbox of a trial shows no longer. */
export const blankOldSecrets = (db: Db, _scope: SystemScope, before: Date): Promise<number> => blankOld.run(db, before)

const forgetOld = statement(
  { name: 'mails.forgetOld', row: {}, tries: [new Date(0)] },
  (before: Date) => sql`delete from mails where id in (
    select id from mails where sent_at < ${before} or (sent_at is null and created_at < now() - interval '30 days') limit 1000)`,
)
/** Letters sent before, and those given up; a thousand at a time. */
export const forgetOldMails = (db: Db, _scope: SystemScope, before: Date): Promise<number> => forgetOld.run(db, before)

const failed = statement(
  { name: 'mails.failed', row: {}, tries: [{ id: someId, problem: 'a' }] },
  ({ id, problem }: { id: string; problem: string }) =>
    sql`update mails set last_error = ${problem}, attempts = attempts + 1 where id = ${id} and sent_at is null`,
)
export const markFailed = (db: Db, _scope: SystemScope, id: string, problem: string): Promise<number> =>
  failed.run(db, { id, problem: problem.slice(0, 500) })

const given = statement(
  { name: 'mails.givenUp', row: {}, tries: [{ id: someId, tries: 1 }] },
  ({ id, tries }: { id: string; tries: number }) =>
    sql`update mails set last_error = 'too late: what it carries opens nothing any more', attempts = ${tries}, html = '', body = '' where id = ${id} and sent_at is null`,
)
/** Gives up a letter whose code or link is dead, as if it had failed all its tries, and blanks it. */
export const giveUpMail = (db: Db, _scope: SystemScope, id: string, tries: number): Promise<number> => given.run(db, { id, tries })

const list = statement(
  { name: 'mails.listSent', row, tries: [{ to: 'a@soigne.test', limit: 1 }] },
  ({ to, limit }: { to: string | null; limit: number }) =>
    sql`select ${columns} from mails where sent_at is not null and (${to}::text is null or lower(recipient) = lower(${to})) order by created_at desc, id desc limit ${limit}`,
)
/** What the development mailbox shows: newest first. */
export const listSent = (db: Db, _scope: SystemScope, to: string | null, limit: number): Promise<StoredMail[]> =>
  list.all(db, { to, limit })
