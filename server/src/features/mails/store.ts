import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

export interface Attachment {
  filename: string
  contentType: string
  content: string
}
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
export interface StoredMail {
  id: string
  kind: string
  to: string
  subject: string
  html: string
  text: string
  attachments: Attachment[]
  createdAt: string
  sentAt: string | null
}

const columns = sql`id, kind, recipient as "to", subject, html, body as text, attachments, created_at as "createdAt", sent_at as "sentAt"`

/** Null when a mail of this fact is there already. */
export async function insertMail(db: Db, mail: NewMail): Promise<string | null> {
  const { rows } = await sql<{
    id: string
  }>`insert into mails (dedupe_key, kind, recipient, subject, html, body, attachments, user_id, appointment_id, institute_id)
    values (${mail.dedupeKey}, ${mail.kind}, ${mail.to}, ${mail.subject}, ${mail.html}, ${mail.text}, ${JSON.stringify(mail.attachments)}::jsonb, ${mail.userId}, ${mail.appointmentId}, ${mail.instituteId})
    on conflict (dedupe_key) do nothing returning id`.execute(db)
  return rows[0]?.id ?? null
}

export async function findMail(db: Db, id: string): Promise<StoredMail | null> {
  const { rows } = await sql<StoredMail>`select ${columns} from mails where id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function markSent(db: Db, id: string): Promise<void> {
  await sql`update mails set sent_at = now(), last_error = null where id = ${id}`.execute(db)
}

export async function markFailed(db: Db, id: string, problem: string): Promise<void> {
  await sql`update mails set last_error = ${problem.slice(0, 500)} where id = ${id} and sent_at is null`.execute(db)
}

/** What the development mailbox shows: newest first. */
export async function listSent(db: Db, to: string | null, limit: number): Promise<StoredMail[]> {
  const { rows } =
    await sql<StoredMail>`select ${columns} from mails where sent_at is not null and (${to}::text is null or lower(recipient) = lower(${to})) order by created_at desc, id desc limit ${limit}`.execute(
      db,
    )
  return rows
}
