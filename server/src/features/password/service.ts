/** A forgotten password is set anew with a link that works once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sitePath } from '@soigne/contract/site-routes'
import { hourMs } from '@soigne/contract/time'
import { endCalendars } from '#/features/calendars/service.ts'
import { postMail } from '#/features/mails/service.ts'
import {
  accountByEmail,
  changePassword,
  endProviders,
  forgetWrongPasswords,
  hashChosenPassword,
  takeFromNetwork,
} from '#/features/session/service.ts'
import { nameToGreet, takeMail } from '#/features/verification/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { translate } from '#/texts/translate.ts'
import { deleteOldLinks, endOtherLinks, findLiveLink, insertReset, takeLink } from './store.ts'

/** Whoever forgot a password has no session: the link in their mail is what proves them. */
const system = systemScope('reset a password')
const linkLifeMs = hourMs
/** Longer than posting a mail takes: the answer comes after this time whether there is an account or not. */
const answerAfterMs = 120

async function postLink(context: AppContext, email: string): Promise<void> {
  const account = await accountByEmail(context, system, email)
  if (!account) return
  const scope = system.user(account.id)
  await inTransaction(context.database.db, async (transaction) => {
    const now = context.clock.now()
    if (!(await takeMail(transaction, account.email, now)).taken) return
    const token = randomToken()
    const tokenHash = hashToken(token)
    await deleteOldLinks(transaction, scope, new Date(now))
    const expiresAt = new Date(now + linkLifeMs)
    await insertReset(transaction, scope, { tokenHash, expiresAt })
    const { locale } = account
    await postMail(transaction, {
      dedupeKey: `password-reset:${tokenHash.toString('hex')}`,
      kind: 'password_reset',
      to: account.email,
      userId: account.id,
      deadAfter: expiresAt,
      content: {
        locale,
        subject: translate(locale, 'mails', 'resetSubject'),
        name: nameToGreet(account.firstName),
        paragraphs: [translate(locale, 'mails', 'resetIntro', { count: linkLifeMs / hourMs })],
        action: {
          label: translate(locale, 'mails', 'resetButton'),
          url: `${context.publicUrl()}${sitePath('resetPassword')}?token=${token}`,
        },
        notes: [translate(locale, 'mails', 'resetNote')],
      },
    })
  })
}

/** Mails a link when there is an account; neither answer nor time tells. */
export async function requestReset(context: AppContext, email: string, address: string): Promise<void> {
  await takeFromNetwork(context, 'reset-requests', address)
  await Promise.all([postLink(context, email), sleep(answerAfterMs)])
}

/** @throws link_expired when the link cannot be used; looking does not use it up */
export async function checkLink(context: AppContext, token: string): Promise<void> {
  if (!(await findLiveLink(context.database.db, system, { tokenHash: hashToken(token), now: new Date(context.clock.now()) })))
    throw refuse('link_expired')
}

/** Nobody who was sent a link before can undo what the owner has just set. */
export const endLinks = (transaction: Db, scope: SelfScope, now: Date): Promise<void> => endOtherLinks(transaction, scope, now)

/** Whoever registered an address that nobody has confirmed may be a stranger: what they let themselves in by, and look in by, ends. */
async function endStrangersWays(transaction: Db, scope: SelfScope): Promise<void> {
  await endProviders(transaction, scope)
  await endCalendars(transaction, scope)
}

/** Sets the new password and ends all sessions and links of the account. */
export async function resetPassword(
  context: AppContext,
  given: { token: string; password: string },
  { address, cookies }: { address: string; cookies: string },
): Promise<void> {
  await takeFromNetwork(context, 'resets', address)
  const tokenHash = hashToken(given.token)
  const link = await findLiveLink(context.database.db, system, { tokenHash, now: new Date(context.clock.now()) })
  if (!link) throw refuse('link_expired')
  const scope = system.user(link.userId)
  const passwordHash = await hashChosenPassword(given.password, link.email, address)
  await inTransaction(context.database.db, async (transaction) => {
    const now = new Date(context.clock.now())
    if (!(await takeLink(transaction, scope, { tokenHash, now }))) throw refuse('link_expired')
    await endOtherLinks(transaction, scope, now)
    // Before the sessions: one that is being opened by such a way is seen below, or finds it gone.
    if (!link.isEmailConfirmed) await endStrangersWays(transaction, scope)
    await changePassword(context, transaction, scope, passwordHash)
  })
  await forgetWrongPasswords(context, link, { address, cookies })
}
