/** Mail as an outbox: the letter is stored in the transaction of the fact and sent by a job, retried, never twice. */
import { systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { addJob, type Jobs } from '#/platform/jobs.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type LetterContent, writeLetter } from './letter.ts'
import { type Attachment, findMail, insertMail, markFailed, markSent } from './store.ts'

export interface Posting {
  /** The fact this mail tells; the same key is never mailed twice. */
  dedupeKey: string
  kind: string
  to: string
  content: LetterContent
  attachments?: Attachment[]
  userId?: string | null
  appointmentId?: string
  instituteId?: string
}

/** Stores a letter in the caller's transaction; a job sends it after the commit. */
export async function postMail(transaction: Db, posting: Posting): Promise<void> {
  const letter = writeLetter(posting.content)
  const id = await insertMail(transaction, {
    dedupeKey: posting.dedupeKey,
    kind: posting.kind,
    to: posting.to,
    ...letter,
    attachments: posting.attachments ?? [],
    userId: posting.userId ?? null,
    appointmentId: posting.appointmentId ?? null,
    instituteId: posting.instituteId ?? null,
  })
  if (id) await addJob(transaction, 'send_mail', { mailId: id }, { key: `mail:${id}` })
}

const system = systemScope('send mail')

export const mailJobs = (context: AppContext): Jobs => ({
  async send_mail(payload) {
    const { mailId } = payload as { mailId: string }
    const db = context.database.db
    const mail = await findMail(db, system, mailId)
    if (!mail || mail.sentAt !== null) return
    try {
      await context.mail.deliver({
        to: mail.to,
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        attachments: mail.attachments,
        messageId: mail.id,
      })
    } catch (error) {
      await markFailed(db, system, mailId, (error as Error).message)
      throw error
    }
    await markSent(db, system, { id: mailId, at: new Date(context.clock.now()) })
  },
})
