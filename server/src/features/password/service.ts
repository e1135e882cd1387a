/** A forgotten password is set anew with a link that works once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { postMail } from '#/features/mails/service.ts'
import { accountByEmail, changePassword, forgetWrongPasswords, hashChosenPassword, takeFromNetwork } from '#/features/session/service.ts'
import { nameToGreet, takeMail } from '#/features/verification/service.ts'
import { inTransaction } from '#/platform/database.ts'
import type { Parts } from '#/platform/parts.ts'
import { refuse } from '#/platform/refuse.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { say } from '#/texts/words.ts'
import { deleteOldLinks, endOtherLinks, findLiveLink, insertReset, useLink } from './store.ts'

const linkLifeMs = 60 * 60_000
/** Longer than posting a mail takes: the answer comes after this time whether there is an account or not. */
const answerAfterMs = 120

async function postLink(parts: Parts, email: string): Promise<void> {
  const account = await accountByEmail(parts, email)
  if (!account) return
  await inTransaction(parts.database.db, async (transaction) => {
    const now = parts.clock.now()
    if (!(await takeMail(transaction, account.email, now)).taken) return
    const token = randomToken()
    const tokenHash = hashToken(token)
    await deleteOldLinks(transaction, account.id, new Date(now))
    await insertReset(transaction, { tokenHash, userId: account.id, expiresAt: new Date(now + linkLifeMs) })
    const { locale } = account
    await postMail(transaction, {
      dedupeKey: `password-reset:${tokenHash.toString('hex')}`,
      kind: 'password_reset',
      to: account.email,
      userId: account.id,
      content: {
        locale,
        subject: say(locale, 'mails', 'resetSubject'),
        name: nameToGreet(account.firstName),
        paragraphs: [say(locale, 'mails', 'resetIntro')],
        action: { label: say(locale, 'mails', 'resetButton'), url: `${parts.publicUrl()}/reset-password?token=${token}` },
        notes: [say(locale, 'mails', 'resetNote')],
      },
    })
  })
}

/** Mails a link when there is an account; neither answer nor time tells. */
export async function requestReset(parts: Parts, email: string, address: string): Promise<void> {
  await takeFromNetwork(parts, 'reset-requests', address)
  await Promise.all([postLink(parts, email), sleep(answerAfterMs)])
}

/** @throws link_expired when the link cannot be used; looking does not use it up */
export async function checkLink(parts: Parts, token: string): Promise<void> {
  if (!(await findLiveLink(parts.database.db, hashToken(token), new Date(parts.clock.now())))) throw refuse('link_expired')
}

/** Sets the new password and ends all sessions and links of the account. */
export async function resetPassword(parts: Parts, given: { token: string; password: string }, address: string): Promise<void> {
  await takeFromNetwork(parts, 'resets', address)
  const tokenHash = hashToken(given.token)
  const link = await findLiveLink(parts.database.db, tokenHash, new Date(parts.clock.now()))
  if (!link) throw refuse('link_expired')
  const passwordHash = await hashChosenPassword(given.password, link.email)
  await inTransaction(parts.database.db, async (transaction) => {
    const now = new Date(parts.clock.now())
    if (!(await useLink(transaction, tokenHash, now))) throw refuse('link_expired')
    await endOtherLinks(transaction, link.userId, now)
    await changePassword(transaction, link.userId, passwordHash)
  })
  await forgetWrongPasswords(parts, link.email)
}
