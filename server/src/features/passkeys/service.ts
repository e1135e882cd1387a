/** Passkeys: what is asked of browsers, the passkeys of an account, and signing in with one. docs/decisions/131. */
import {
  type MadeCredential,
  mostPasskeys,
  type Passkey,
  type PasskeyCreation,
  type PasskeyRequest,
  type SignedCredential,
} from '@soigne/contract/passkeys'
import { noteSignIn } from '#/features/security/service.ts'
import { accountByEmail, openRecognised, type Origin, proveOwner, takeFromNetwork, takeLogin } from '#/features/session/service.ts'
import { deviceOf } from '#/features/settings/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { translate } from '#/texts/translate.ts'
import { challengeLifeMs, creationFor, madeKeyOf, requestFor, signCountOf } from './checks.ts'
import { tellOfPasskey } from './letters.ts'
import {
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  type KnownPasskey,
  listPasskeys,
  lockOwner,
  takeChallenge,
  updateName,
  usePasskey,
} from './store.ts'

/** Whoever signs in has no session yet. */
const system = systemScope('sign in by passkey')

/** Asked of one browser; only its digest is kept. */
async function askedOf(context: AppContext, userId: string | null): Promise<string> {
  const challenge = randomToken()
  const now = context.clock.now()
  await insertChallenge(context.database.db, system, {
    hash: hashToken(challenge),
    userId,
    now: new Date(now),
    expiresAt: new Date(now + challengeLifeMs),
  })
  return challenge
}

/** Not in a transaction that may be taken back: what was answered is used up, however it was answered. */
const taking =
  (context: AppContext, userId: string | null) =>
  (challenge: string): Promise<boolean> =>
    takeChallenge(context.database.db, system, { hash: hashToken(challenge), userId, now: new Date(context.clock.now()) })

export async function passkeysOf({ database: { db } }: AppContext, scope: SelfScope): Promise<Passkey[]> {
  const found = await listPasskeys(db, scope)
  return found.map(({ id, name, madeAt, lastUsedAt }) => ({ _id: id, name, madeAt, lastUsedAt }))
}

const refuseMore = () => refuse('too_many_passkeys', { most: mostPasskeys }, { values: { count: mostPasskeys } })

/** Who has a password shows that they know it; who signs in at a provider has a session and nothing more. @throws bad_input, too_many_passkeys */
export async function beginPasskey(
  context: AppContext,
  scope: SelfScope,
  { password, address }: { password?: string | undefined; address: string },
): Promise<PasskeyCreation> {
  const { db } = context.database
  const owner = await lockOwner(db, scope)
  if (!owner) throw refuse('unauthorized')
  if (owner.hasPassword) {
    if (password === undefined) throw refuseField('password', 'required')
    await proveOwner(context, scope, { field: 'password', password, address })
  }
  const known = (await listPasskeys(db, scope)).map(({ credentialId }) => credentialId)
  if (known.length >= mostPasskeys) throw refuseMore()
  const { email, firstName, lastName } = owner
  const challenge = await askedOf(context, scope.userId)
  return creationFor(context, { userId: scope.userId, email, name: `${firstName} ${lastName}`, challenge, known })
}

/** What its owner knows it by: the device it was made on, numbered from the second on. */
function newName(userAgent: string | null, fallback: string, taken: readonly string[]): string {
  const { system: device, browser } = deviceOf(userAgent)
  const name = device ?? browser ?? fallback
  let asked = name
  for (let n = 2; taken.includes(asked); n++) asked = `${name} ${n}`
  return asked
}

/** @throws passkey_not_added, too_many_passkeys */
export async function addPasskey(
  context: AppContext,
  scope: SelfScope,
  { credential, userAgent }: { credential: MadeCredential; userAgent: string | null },
): Promise<void> {
  const made = await madeKeyOf(context, credential, taking(context, scope.userId))
  if (!made) throw refuse('passkey_not_added')
  await inTransaction(context.database.db, async (transaction) => {
    const owner = await lockOwner(transaction, scope)
    if (!owner) throw refuse('unauthorized')
    const others = await listPasskeys(transaction, scope)
    if (others.length >= mostPasskeys) throw refuseMore()
    const taken = others.map((one) => one.name)
    const name = newName(userAgent, translate(owner.locale, 'mails', 'passkey'), taken)
    const isNew = await insertPasskey(transaction, scope, { ...made, name, now: new Date(context.clock.now()) })
    if (!isNew) throw refuse('passkey_not_added')
    await tellOfPasskey(context, transaction, scope, { owner, what: 'added', name })
  })
}

/** @throws not_found */
export async function renamePasskey(
  { database: { db } }: AppContext,
  scope: SelfScope,
  given: { id: string; name: string },
): Promise<void> {
  if (!(await updateName(db, scope, given))) throw refuse('not_found')
}

/** Sessions it opened stay, as they do when a password is forgotten: each can be ended. @throws not_found */
export async function removePasskey(context: AppContext, scope: SelfScope, id: string): Promise<void> {
  await inTransaction(context.database.db, async (transaction) => {
    const owner = await lockOwner(transaction, scope)
    const name = await deletePasskey(transaction, scope, id)
    if (!owner || name === null) throw refuse('not_found')
    await tellOfPasskey(context, transaction, scope, { owner, what: 'removed', name })
  })
}

/** Asked before anybody is known, as often as they may sign in. */
export async function beginSignIn(context: AppContext, address: string): Promise<PasskeyRequest> {
  await takeFromNetwork(context, 'passkey-challenges', address)
  return requestFor(context, await askedOf(context, null))
}

/** A session, or null where the passkey is a copy of one that signed more often, or was removed meanwhile. */
const openWith = (
  context: AppContext,
  { passkey, signCount, origin }: { passkey: KnownPasskey; signCount: number; origin: Origin },
): Promise<string | null> =>
  inTransaction(context.database.db, async (transaction) => {
    const now = context.clock.now()
    const isAhead = await usePasskey(transaction, system, { id: passkey.id, signCount, now: new Date(now) })
    if (isAhead === null) return null
    const { address, userAgent } = origin
    const kind = isAhead ? 'login.ok' : 'passkey.copied'
    const { userId } = passkey
    await noteSignIn(transaction, system, { at: instantText(now), kind, userId, address, userAgent, call: 'signInByPasskey' })
    return isAhead ? openRecognised(context, transaction, system.user(userId), userAgent) : null
  })

/** The same answer whatever is wrong; nobody learns whether there is such a passkey. @throws passkey_refused */
export async function signInByPasskey(
  context: AppContext,
  credential: SignedCredential,
  origin: Origin & { cookies: string },
): Promise<{ token: string; account: NonNullable<Awaited<ReturnType<typeof accountByEmail>>> }> {
  const passkey = await findPasskey(context.database.db, system, Buffer.from(credential.id, 'base64url'))
  await takeLogin(context, passkey?.email ?? '', origin)
  if (!passkey) throw refuse('passkey_refused')
  const { userId, publicKey, email } = passkey
  const signCount = await signCountOf(context, credential, { userId, publicKey, takeChallenge: taking(context, null) })
  const token = signCount === null ? null : await openWith(context, { passkey, signCount, origin })
  const account = token === null ? null : await accountByEmail(context, system, email)
  if (token === null || account === null) throw refuse('passkey_refused')
  return { token, account }
}
