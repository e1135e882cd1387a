/** Confirming an email with a code, and how many account mails one person may be sent. */
import { createHash, randomUUID } from 'node:crypto'
import { codeLength, resendCooldownMs } from '@soigne/contract/verification'
import type { Locale } from '@soigne/contract/wire'
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'
import { parseInstant } from '#/platform/instants.ts'
import { postMail } from '#/features/mails/service.ts'
import { joinWhereInvited } from '#/features/people/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { hashCode, randomCode, sameBytes } from '#/platform/tokens.ts'
import { translate } from '#/texts/translate.ts'
import { findResendAfter, lockAddressee, markVerified, putCode, takeOne, takeTry } from './store.ts'

const codeLifeMs = 15 * minuteMs
const triesOfACode = 5
const budgets = [
  { name: 'hour', most: 5, windowMs: 60 * minuteMs },
  { name: 'day', most: 20, windowMs: dayMs },
] as const

/** Whom an account mail goes to. */
export interface Recipient {
  email: string
  firstName: string
  locale: Locale
}

/** A name fit for the greeting: letters only, so that nobody can have us mail their link or a second number to a stranger. */
export const nameToGreet = (firstName: string): string | null => (/^[\p{L}\p{M}'’ -]{1,40}$/u.test(firstName) ? firstName : null)

/** Takes one of the account mails an address may be sent, whatever their kind; otherwise tells when the next is free (ms). */
export async function takeMail(transaction: Db, email: string, now: Instant): Promise<{ taken: true } | { taken: false; freeAt: number }> {
  // Hashed, so that the table of limits holds no addresses.
  const whom = createHash('sha256').update(email.toLowerCase()).digest('hex')
  for (const { name, most, windowMs } of budgets) {
    const outcome = await takeOne(transaction, { key: `account-mails-${name}:${whom}`, most, windowMs }, now)
    if (!outcome.taken) return outcome
  }
  return { taken: true }
}

/** Takes one mail of a kind that is sent to an account once a day at most. */
export const takeDailyMail = async (transaction: Db, kind: string, userId: string, now: Instant): Promise<boolean> =>
  (await takeOne(transaction, { key: `daily-mail-${kind}:${userId}`, most: 1, windowMs: dayMs }, now)).taken

async function issueCode(
  context: AppContext,
  transaction: Db,
  scope: SelfScope,
  recipient: Recipient,
  resendAfter: Date | null,
): Promise<void> {
  const now = context.clock.now()
  const code = randomCode()
  const expiresAt = new Date(now + codeLifeMs)
  await putCode(transaction, scope, {
    hash: hashCode(context.settings.secret, scope.userId, code),
    expiresAt,
    tries: triesOfACode,
    resendAfter,
  })
  const { locale } = recipient
  await postMail(transaction, {
    dedupeKey: `email-code:${randomUUID()}`,
    kind: 'email_code',
    to: recipient.email,
    userId: scope.userId,
    deadAfter: expiresAt,
    content: {
      locale,
      subject: translate(locale, 'mails', 'codeSubject'),
      name: nameToGreet(recipient.firstName),
      paragraphs: [translate(locale, 'mails', 'codeIntro')],
      code,
      notes: [translate(locale, 'mails', 'codeNote', { count: codeLifeMs / minuteMs })],
    },
  })
}

/** The first code of a new account, in the transaction that makes it. It does not start the wait for a resend. */
export async function postFirstCode(context: AppContext, transaction: Db, scope: SelfScope, recipient: Recipient): Promise<void> {
  const budget = await takeMail(transaction, recipient.email, context.clock.now())
  if (budget.taken) await issueCode(context, transaction, scope, recipient, null)
}

/** Confirms the email of a user. Every guess uses a try, also when many come at once. */
export async function verifyEmail(context: AppContext, scope: SelfScope, code: string): Promise<void> {
  const now = new Date(context.clock.now())
  // A refusal thrown inside would give the try back, so the outcome leaves the transaction first.
  const outcome = await inTransaction(context.database.db, async (transaction) => {
    const account = await lockAddressee(transaction, scope)
    if (!account) return 'gone'
    if (account.verified) return 'verified'
    const live = await takeTry(transaction, scope, now)
    if (!live) return 'expired'
    if (code.length !== codeLength || !sameBytes(live.hash, hashCode(context.settings.secret, scope.userId, code))) return live
    await markVerified(transaction, scope, now)
    await joinWhereInvited(transaction, scope, now)
    return 'verified'
  })
  if (outcome === 'verified') return
  if (outcome === 'gone') throw refuse('unauthorized')
  if (outcome === 'expired') throw refuse('code_expired')
  throw refuse('code_wrong', { triesLeft: outcome.triesLeft })
}

const refuseUntil = (freeAt: number, now: Instant) => {
  const timeLeft = Math.max(1, Math.ceil(freeAt - now))
  const seconds = Math.ceil(timeLeft / 1000)
  return refuse('resend_cooldown', { timeLeft }, { values: { count: seconds }, retryAfter: seconds })
}

/** Sends a new code, which ends the old one; only a success starts the wait for the next. */
export async function resendVerification(context: AppContext, scope: SelfScope): Promise<void> {
  await inTransaction(context.database.db, async (transaction) => {
    const account = await lockAddressee(transaction, scope)
    if (!account) throw refuse('unauthorized')
    if (account.verified) throw refuse('wrong_state')
    const now = context.clock.now()
    const resendAfter = await findResendAfter(transaction, scope)
    if (resendAfter !== null && parseInstant(resendAfter) > now) throw refuseUntil(parseInstant(resendAfter), now)
    const budget = await takeMail(transaction, account.email, now)
    if (!budget.taken) throw refuseUntil(budget.freeAt, now)
    await issueCode(context, transaction, scope, account, new Date(now + resendCooldownMs))
  })
}
