/** Mail as an outbox: the letter is stored in the transaction of the fact and sent by a job, retried, never twice. */
import { createHash } from 'node:crypto'
import { dayMs } from '@soigne/contract/time'
import { systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { addJobs, type Jobs, type QueuedJob } from '#/platform/jobs.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { parseInstant } from '#/platform/instants.ts'
import { type LetterContent, writeLetter } from './letter.ts'
import {
  type Attachment,
  blankOldSecrets,
  dueMails,
  forgetOldMails,
  giveUpMail,
  insertMails,
  markFailed,
  markSent,
  type StoredMail,
} from './store.ts'

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
  /** When its code or link is dead: it is not sent after that. */
  deadAfter?: Date
}

/** Letters about one visit are sent one after the other; so many jobs at once. */
const queues = 4
const queueOf = (visit: string): string => `letters ${createHash('md5').update(visit).digest().readUInt16BE(0) % queues}`
/** Tries of one letter. */
const attempts = 12
/** Letters of one job. */
const mostTogether = 32

const alone = (mailId: string, queue?: string): QueuedJob => ({
  name: 'send_mail',
  payload: { mailId },
  key: `mail:${mailId}`,
  ...(queue !== undefined && { queue }),
})

/** Stores letters in the caller's transaction; jobs send them after the commit. */
export async function postMails(transaction: Db, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return
  const made = await insertMails(
    transaction,
    postings.map(({ content, ...posting }) => ({ ...posting, attachments: posting.attachments ?? [], ...writeLetter(content) })),
  )
  const ofVisits = made.flatMap(({ id, appointmentId }) => (appointmentId === null ? [] : [{ id, queue: queueOf(appointmentId) }]))
  const jobs = made.flatMap(({ id, appointmentId }) => (appointmentId === null ? [alone(id)] : []))
  for (const [queue, mails] of Map.groupBy(ofVisits, (one) => one.queue))
    for (let n = 0; n < mails.length; n += mostTogether) {
      const mailIds = mails.slice(n, n + mostTogether).map(({ id }) => id)
      jobs.push({ name: 'send_mails', payload: { mailIds, queue }, key: `mails:${mailIds[0]}`, queue })
    }
  await addJobs(transaction, jobs)
}
/** Stores a letter in the caller's transaction; a job sends it after the commit. */
export const postMail = (transaction: Db, posting: Posting): Promise<void> => postMails(transaction, [posting])

const system = systemScope('send mail')

/** Sends letters in their order. One that fails keeps back those after it of the same visit and reader. Gives what has not left, with why. */
async function send(context: AppContext, ids: readonly string[]): Promise<{ mail: StoredMail; error: unknown }[]> {
  const { prepared: db } = context.database
  const left: { mail: StoredMail; error: unknown }[] = []
  const gone: string[] = []
  const noteGone = async (): Promise<unknown> =>
    gone.length > 0 && markSent(db, system, { ids: gone.splice(0), at: new Date(context.clock.now()), left: context.mail.leaves })
  for (const mail of await dueMails(db, system, ids, attempts)) {
    const before = left.find(
      (one) => one.mail.appointmentId !== null && one.mail.appointmentId === mail.appointmentId && one.mail.to === mail.to,
    )
    if (before) {
      left.push({ mail, error: before.error })
      continue
    }
    if (mail.deadAfter !== null && parseInstant(mail.deadAfter) <= context.clock.now()) {
      await giveUpMail(db, system, mail.id, attempts)
      continue
    }
    try {
      const { to, subject, html, text, attachments, id: messageId } = mail
      await context.mail.deliver({ to, subject, html, text, attachments, messageId })
      gone.push(mail.id)
    } catch (error) {
      await markFailed(db, system, mail.id, (error as Error).message)
      left.push({ mail, error })
    }
    // What has left the house must not leave again.
    if (context.mail.leaves) await noteGone()
  }
  await noteGone()
  return left
}

/** How long letters are kept. A code or link is dead long before a day is over. */
const keptMs = 30 * dayMs
const secretsKeptMs = dayMs

export const mailJobs = (context: AppContext): Jobs => ({
  async tidy_mails() {
    const now = context.clock.now()
    await blankOldSecrets(context.database.db, system, new Date(now - secretsKeptMs))
    await forgetOldMails(context.database.db, system, new Date(now - keptMs))
  },
  async send_mail(payload) {
    const [problem] = await send(context, [(payload as { mailId: string }).mailId])
    if (problem) throw problem.error
  },
  async send_mails(payload) {
    const { mailIds, queue } = payload as { mailIds: string[]; queue: string }
    const left = new Set((await send(context, mailIds)).map(({ mail }) => mail.id))
    // Each of those that did not leave is tried again for itself.
    await addJobs(
      context.database.prepared,
      mailIds.filter((id) => left.has(id)).map((id) => alone(id, queue)),
    )
  },
})
