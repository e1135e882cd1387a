/** Accounts and sessions: who somebody is, and for how long. */
import { hash, randomUUID } from 'node:crypto'
import type { SentFile } from '@soigne/contract/define'
import type { SessionUser } from '@soigne/contract/session'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale, Role } from '@soigne/contract/wire'
import { dropFile, fileAddress, notePictureOf, removeDropped, takeFile, useFile } from '#/features/files/service.ts'
import { postMail } from '#/features/mails/service.ts'
import { nameToGreet, postFirstCode, takeDailyMail, takeMail } from '#/features/verification/service.ts'
import { type SelfScope, type SystemScope, systemScope } from '#/platform/access.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { type Limit, openLimit } from '#/platform/limits.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { translate } from '#/texts/translate.ts'
import { isCommonPassword } from './common-passwords.ts'
import { networkOf } from '#/platform/network.ts'
import { deleteIdentities } from './identity-store.ts'
import { knownDevice } from './known-devices.ts'
import { tellOfNewPassword } from './password-letter.ts'
import { decoyHash, hashingTurn, hashPassword, isPassword } from './password-hash.ts'
import {
  type Account,
  deleteOtherSessions,
  deleteSession,
  deleteSessions,
  endSurplusSessions,
  findAccountByEmail,
  findEnded,
  findProfile,
  insertAccount,
  insertSession,
  insertSessionFor,
  replaceImageKey,
  updatePassword,
} from './store.ts'
import { fitForText, sessionEnd } from './session-life.ts'

export { authenticator } from './authenticator.ts'
export { rememberedDevice } from './known-devices.ts'
export { fitForText, sessionEnd } from './session-life.ts'

/** Whoever signs in or up has no session yet. */
const system = systemScope('sign in')
const windowSeconds = 600
/** Of an account. */
const mostSessions = 20
/** Ends those that are too many of an account. */
export const endSurplus = (db: Db, scope: SelfScope): Promise<number> => endSurplusSessions(db, scope, mostSessions)

/** Where a call comes from. */
export interface Origin {
  locale: Locale
  address: string
  userAgent: string | null
}

/** One account for an email however it is typed. */
export const normalEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase()

const wrongPasswords = (context: AppContext): Limit =>
  openLimit(context.database.pool, 'wrong-passwords', context.settings.limits.wrongPasswords, windowSeconds)

/** By account and where the guess comes from, so that nobody locks an owner out from elsewhere; hashed, so that the table of limits holds no addresses. */
const guessesOf = (email: string, place: string): string => `${hash('sha256', email, 'base64url')} ${place}`

const onDevice = (device: string): string => `device ${device}`
const insideSession = ({ userId }: { userId: string }): string => `signed in ${userId}`

/** Counts one call of a kind for the network it comes from. */
export const takeFromNetwork = (
  context: AppContext,
  kind: 'registrations' | 'logins' | 'passkey-challenges' | 'reset-requests' | 'resets',
  address: string,
): Promise<void> =>
  openLimit(
    context.database.pool,
    kind,
    kind === 'registrations' || kind === 'reset-requests' ? context.settings.limits.registrations : context.settings.limits.logins,
    windowSeconds,
  ).take(networkOf(address))

/** Opens a session for somebody whose password was just checked or set. */
async function openSession(
  context: AppContext,
  db: Db,
  scope: SelfScope,
  from: { passwordHash: string; userAgent: string | null },
): Promise<string> {
  const token = randomToken()
  const now = context.clock.now()
  const isOpen = await insertSession(db, scope, {
    passwordHash: from.passwordHash,
    tokenHash: hashToken(token),
    userAgent: fitForText(from.userAgent),
    now: new Date(now),
    expiresAt: sessionEnd(now),
  })
  if (!isOpen) throw refuse('wrong_credentials')
  await endSurplus(db, scope)
  return token
}

/** Opens a session for somebody who was recognised without a password, in the transaction that did it. @throws unauthorized when they are gone */
export async function openRecognised(context: AppContext, transaction: Db, scope: SelfScope, userAgent: string | null): Promise<string> {
  const token = randomToken()
  const now = context.clock.now()
  const session = { tokenHash: hashToken(token), userAgent: fitForText(userAgent), now: new Date(now), expiresAt: sessionEnd(now) }
  if (!(await insertSessionFor(transaction, scope, session))) throw refuse('unauthorized')
  await endSurplus(transaction, scope)
  return token
}

/** Hashes a password somebody chose. @throws password_common when it is easy to guess */
export async function hashChosenPassword(password: string, email: string, address: string): Promise<string> {
  if (isCommonPassword(password, email)) throw refuse('password_common')
  return hashPassword(password, networkOf(address))
}

export interface Registration {
  email: string
  password: string
  role: Role
  firstName: string
  lastName: string
  phone?: string | undefined
}

/** What the owner of an account is told. */
const warnings = {
  'email-taken': { kind: 'email_taken', subject: 'takenSubject', intro: 'takenIntro' },
  'password-guessed': { kind: 'password_guessed', subject: 'guessedSubject', intro: 'guessedIntro' },
} as const

/** Tells the owner of an email that somebody tried to register with it, or guesses at its password: once a day at most. */
async function tellOwner(context: AppContext, email: string, what: keyof typeof warnings): Promise<void> {
  const { kind, subject, intro } = warnings[what]
  await inTransaction(context.database.db, async (transaction) => {
    const owner = await findAccountByEmail(transaction, system, email)
    const now = context.clock.now()
    if (!owner || !(await takeDailyMail(transaction, what, owner.id, now)) || !(await takeMail(transaction, owner.email, now)).taken) return
    const { locale } = owner
    await postMail(transaction, {
      dedupeKey: `${what}:${randomUUID()}`,
      kind,
      to: owner.email,
      userId: owner.id,
      content: {
        locale,
        subject: translate(locale, 'mails', subject),
        name: nameToGreet(owner.firstName),
        paragraphs: [translate(locale, 'mails', intro)],
        action: { label: translate(locale, 'mails', 'takenButton'), url: context.publicUrl() + sitePath('login') },
      },
    })
  })
}

/** Makes an account with a session; its code is mailed. */
export async function register(context: AppContext, given: Registration, origin: Origin): Promise<{ token: string }> {
  await takeFromNetwork(context, 'registrations', origin.address)
  const email = normalEmail(given.email)
  const passwordHash = await hashChosenPassword(given.password, email, origin.address)
  const token = await inTransaction(context.database.db, async (transaction) => {
    const { locale } = origin
    const id = await insertAccount(transaction, system, {
      email,
      passwordHash,
      role: given.role,
      firstName: given.firstName,
      lastName: given.lastName,
      phone: given.phone || null,
      locale,
      now: new Date(context.clock.now()),
    })
    if (id === null) throw refuse('email_taken')
    const scope = system.user(id)
    await postFirstCode(context, transaction, scope, { email, firstName: given.firstName, locale })
    return openSession(context, transaction, scope, { passwordHash, userAgent: origin.userAgent })
  }).catch(async (error: unknown) => {
    if ((error as { code?: unknown }).code === 'email_taken') await tellOwner(context, email, 'email-taken')
    throw error
  })
  return { token }
}

type KnownAccount = Account & { passwordHash: string }

/** The account of an email and password; the same work and the same answer whether the email is known or not. */
async function accountOf(
  context: AppContext,
  { email, password, place, address }: { email: string; password: string; place: string; address: string },
): Promise<KnownAccount> {
  const limit = wrongPasswords(context)
  const decoy = await decoyHash()
  const key = guessesOf(email, place)
  await limit.check(key)
  return hashingTurn(networkOf(address), async () => {
    // Again inside the turn: guesses sent at once wait here and must not all be compared.
    await limit.check(key)
    const account = await findAccountByEmail(context.database.db, system, email)
    const isRight = await isPassword(account?.passwordHash ?? decoy, password)
    if (account?.passwordHash && isRight) return { ...account, passwordHash: account.passwordHash }
    await limit.take(key)
    // Not waited for: how long an answer takes must not tell whether there is an account.
    void limit
      .check(key)
      .catch(() => tellOwner(context, email, 'password-guessed'))
      .catch((error: unknown) => context.log.warn({ err: error }, 'the owner of an account could not be told of guesses'))
    throw refuse('wrong_credentials')
  })
}

/**
 * Counts a sign-in and says where it comes from: a device the account was signed in from, else the network. Devices are as many as somebody
 * cares to make, so they get past their network a few times for each account only; from then on they are its guests like all others.
 */
export async function takeLogin(
  context: AppContext,
  email: string,
  { address, cookies }: { address: string; cookies: string },
): Promise<string> {
  const device = knownDevice(context, email, cookies)
  if (device !== null) {
    const ofAccount = openLimit(context.database.pool, 'known-logins', context.settings.limits.wrongPasswords, windowSeconds)
    const isPast = await ofAccount.take(hash('sha256', email, 'base64url')).then(
      () => true,
      (error: unknown) => {
        if ((error as { code?: unknown }).code === 'too_many_requests') return false
        throw error
      },
    )
    if (isPast) return onDevice(device)
  }
  await takeFromNetwork(context, 'logins', address)
  return networkOf(address)
}

/** Signs in with the role the account has; another role is told only to who knows the password. */
export async function login(
  context: AppContext,
  given: { email: string; password: string; role: Role },
  origin: Origin & { cookies: string },
): Promise<{ token: string; account: Account }> {
  const email = normalEmail(given.email)
  const place = await takeLogin(context, email, origin)
  const account = await accountOf(context, { email, password: given.password, place, address: origin.address })
  if (account.role !== given.role) throw refuse('other_role', { role: account.role })
  await wrongPasswords(context).forget(guessesOf(email, place))
  const { passwordHash } = account
  const token = await openSession(context, context.database.db, system.user(account.id), { passwordHash, userAgent: origin.userAgent })
  return { token, account }
}

export const logout = (context: AppContext, scope: SelfScope): Promise<void> => deleteSession(context.database.db, scope)

/** Whoever changes what matters shows that they are the owner, not somebody at an open screen. @throws bad_input naming the field */
export async function proveOwner(
  context: AppContext,
  scope: SelfScope,
  given: { field: string; password: string; address: string },
): Promise<{ email: string }> {
  const profile = await findProfile(context.database.db, scope)
  if (!profile) throw refuse('unauthorized')
  const { email } = profile
  // Strangers on the same network have no session of this account: their guesses do not count here.
  const place = insideSession(scope)
  try {
    await accountOf(context, { email, password: given.password, place, address: given.address })
  } catch (error) {
    // A session stays what it is: a wrong password here is a wrong field, not the end of it.
    if ((error as { code?: unknown }).code === 'wrong_credentials') throw refuseField(given.field, 'password_wrong')
    throw error
  }
  await wrongPasswords(context).forget(guessesOf(email, place))
  return { email }
}

export const endOtherSessions = (db: Db, scope: SelfScope): Promise<number> => deleteOtherSessions(db, scope)

/** Sets a new password and ends every session of the account but the one it is done from. */
export async function replacePassword(context: AppContext, transaction: Db, scope: SelfScope, passwordHash: string): Promise<void> {
  await tellOfNewPassword(context, transaction, scope, await updatePassword(transaction, scope, passwordHash))
  await deleteOtherSessions(transaction, scope)
}

/** Sets a new password and ends every session of the account. */
export async function changePassword(context: AppContext, transaction: Db, scope: SelfScope, passwordHash: string): Promise<void> {
  await tellOfNewPassword(context, transaction, scope, await updatePassword(transaction, scope, passwordHash))
  await deleteSessions(transaction, scope)
}

/** From now on no provider opens the account. */
export const endProviders = (transaction: Db, scope: SelfScope): Promise<void> => deleteIdentities(transaction, scope)

/** After a reset the owner need not wait for guesses made before it: on this network, on this device of theirs, inside a session. */
export async function forgetWrongPasswords(
  context: AppContext,
  account: { userId: string; email: string },
  { address, cookies }: { address: string; cookies: string },
): Promise<void> {
  const email = normalEmail(account.email)
  const device = knownDevice(context, email, cookies)
  const places = [networkOf(address), insideSession(account), ...(device === null ? [] : [onDevice(device)])]
  await Promise.all(places.map((place) => wrongPasswords(context).forget(guessesOf(email, place))))
}

export const accountByEmail = (context: AppContext, scope: SystemScope, email: string): Promise<Account | null> =>
  findAccountByEmail(context.database.db, scope, normalEmail(email))

/** Of these sessions, those that were ended or ran out. */
export const endedSessions = ({ database, clock }: AppContext, ids: readonly string[]): Promise<string[]> =>
  findEnded(database.db, system, { ids, now: new Date(clock.now()) })

export async function sessionUser(context: AppContext, scope: SelfScope): Promise<SessionUser> {
  const profile = await findProfile(context.database.db, scope)
  if (!profile) throw refuse('unauthorized')
  const { imageKey, instituteId, instituteSlug, instituteName, ...fields } = profile
  return {
    ...fields,
    ...(instituteId && instituteSlug && instituteName ? { institute: { _id: instituteId, slug: instituteSlug, name: instituteName } } : {}),
    imageUrl: imageKey === null ? null : fileAddress(context, imageKey),
  }
}

/** Stores a new profile picture and removes the one before it. */
export async function replacePicture(context: AppContext, scope: SelfScope, sent: SentFile): Promise<string> {
  const taken = await takeFile(context, scope, 'profile_picture', sent)
  await inTransaction(context.database.db, async (transaction) => {
    await notePictureOf(transaction, scope)
    const replaced = await replaceImageKey(transaction, scope, taken.key)
    if (!replaced) throw refuse('unauthorized')
    await useFile(transaction, scope, taken)
    if (replaced.previous) await dropFile(transaction, scope, replaced.previous)
  })
  // The picture is in place; what cannot be removed now is removed by a job.
  await removeDropped(context).catch((error: unknown) => context.log.warn({ err: error }, 'a replaced picture could not be removed'))
  return fileAddress(context, taken.key)
}
