import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const attachment = z.object({ filename: z.string(), contentType: z.string(), content: z.string() })
export type Attachment = z.output<typeof attachment>

export interface NewMail {
  dedupeKey: string
  kind: string
  to: string
  subject: string
  html: string
  text: string
  attachments: Attachment[]
  userId: string | null
  appointmentId: string | null
  instituteId: string | null
}

const row = {
  id: c.uuid,
  kind: c.text,
  to: c.text,
  subject: c.text,
  html: c.text,
  text: c.text,
  attachments: c.json(z.array(attachment)),
  createdAt: c.instant,
  sentAt: orNull(c.instant),
}
export type StoredMail = RowOf<typeof row>
const columns = sql`id, kind, recipient as "to", subject, html, body as text, attachments, created_at as "createdAt", sent_at as "sentAt"`

/** Null when a mail of this fact is there already. */
export async function insertMail(db: Db, mail: NewMail): Promise<string | null> {
  const made = await db
    .insertInto('mails')
    .values({
      dedupe_key: mail.dedupeKey,
      kind: mail.kind,
      recipient: mail.to,
      subject: mail.subject,
      html: mail.html,
      body: mail.text,
      attachments: JSON.stringify(mail.attachments),
      user_id: mail.userId,
      appointment_id: mail.appointmentId,
      institute_id: mail.instituteId,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

const find = statement({ name: 'mails.find', row, tries: [someId] }, (id: string) => sql`select ${columns} from mails where id = ${id}`)
export const findMail = (db: Db, _scope: SystemScope, id: string): Promise<StoredMail | null> => find.one(db, id)

export async function markSent(db: Db, _scope: SystemScope, { id, at }: { id: string; at: Date }): Promise<void> {
  await db.updateTable('mails').set({ sent_at: at, last_error: null }).where('id', '=', id).execute()
}

export async function markFailed(db: Db, _scope: SystemScope, id: string, problem: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ last_error: problem.slice(0, 500) })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

const list = statement(
  { name: 'mails.listSent', row, tries: [{ to: 'a@soigne.test', limit: 1 }] },
  ({ to, limit }: { to: string | null; limit: number }) =>
    sql`select ${columns} from mails where sent_at is not null and (${to}::text is null or lower(recipient) = lower(${to})) order by created_at desc, id desc limit ${limit}`,
)
/** What the development mailbox shows: newest first. */
export const listSent = (db: Db, _scope: SystemScope, to: string | null, limit: number): Promise<StoredMail[]> =>
  list.all(db, { to, limit })
