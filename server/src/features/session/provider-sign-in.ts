/** Signing in with what a provider says of somebody. An account is known by issuer and subject; an email alone opens none. */
import { personName, type Role } from '@soigne/contract/wire'
import { connect, connectBeside } from '#/features/calendars/service.ts'
import { finishAtProvider, type Identity, type Returned } from '#/features/identities/service.ts'
import { joinWhereInvited } from '#/features/people/service.ts'
import { noteSignIn } from '#/features/security/service.ts'
import { postFirstCode } from '#/features/verification/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import { findIdentified, insertIdentity, openIdentified } from './identity-store.ts'
import { endSurplus, fitForText, normalEmail, type Origin, sessionEnd, takeFromNetwork } from './service.ts'
import { type Account, findAccountByEmail, insertAccount } from './store.ts'

const system = systemScope('sign in at a provider')

/** A name as it may be shown, or the next best. */
function nameOf(...asked: (string | null | undefined)[]): string {
  for (const one of asked) {
    const name = personName.safeParse(one?.slice(0, 80))
    if (name.success) return name.data
  }
  return '–'
}

/** The account of an email is theirs when both sides have seen that the email is. @throws email_taken */
async function linkOrMake(context: AppContext, db: Db, identity: Identity, given: { role: Role; origin: Origin }): Promise<Account> {
  const { email: told, emailVerified } = identity
  // Without an email there is nobody to write to.
  if (told === null) throw refuse('sign_in_failed')
  const email = normalEmail(told)
  const now = new Date(context.clock.now())
  const known = await findAccountByEmail(db, system, email)
  if (known) {
    if (!emailVerified || !known.isEmailVerified) throw refuse('email_taken')
    await insertIdentity(db, system.user(known.id), { ...identity, now })
    return known
  }
  const { role, origin } = given
  const firstName = nameOf(identity.firstName, email.split('@')[0])
  const id = await insertAccount(db, system, {
    email,
    passwordHash: null,
    role,
    firstName,
    lastName: nameOf(identity.lastName),
    phone: null,
    locale: origin.locale,
    now,
    ...(emailVerified && { emailVerifiedAt: now }),
  })
  if (id === null) throw refuse('email_taken')
  const scope = system.user(id)
  await insertIdentity(db, scope, { ...identity, now })
  if (emailVerified) await joinWhereInvited(db, scope, now)
  else await postFirstCode(context, db, scope, { email, firstName, locale: origin.locale })
  const made = await findIdentified(db, system, identity)
  if (!made) throw refuse('sign_in_failed')
  return made
}

/** The role is that of an account to be made; one that exists keeps its own. @throws sign_in_failed, other_role, email_taken, unavailable */
export async function signInAtProvider(
  context: AppContext,
  returned: Returned & { role?: Role | undefined },
  origin: Origin & { cookies: string },
): Promise<{ token: string; account: Account; isNew: boolean; from: string | null }> {
  await takeFromNetwork(context, 'logins', origin.address)
  const { identity, grant, role: chosen, from, forCalendar } = await finishAtProvider(context, returned, origin.cookies)
  const role = returned.role ?? chosen
  return inTransaction(context.database.db, async (transaction) => {
    const known = await findIdentified(transaction, system, identity)
    const found = known ?? (await linkOrMake(context, transaction, identity, { role, origin }))
    if (found.role !== role) throw refuse('other_role', { role: found.role })
    const scope = system.user(found.id)
    const token = randomToken()
    const now = context.clock.now()
    await openIdentified(transaction, system, {
      ...identity,
      tokenHash: hashToken(token),
      userAgent: fitForText(origin.userAgent),
      now: new Date(now),
      expiresAt: sessionEnd(now),
    })
    await endSurplus(transaction, scope)
    const { address, userAgent } = origin
    await noteSignIn(transaction, system, {
      at: instantText(now),
      kind: 'login.ok',
      userId: found.id,
      address,
      userAgent,
      call: 'signInAtProvider',
    })
    // Visits go elsewhere for whoever has shown that the email is theirs: docs/decisions/143.
    const connecting = forCalendar ? connect : connectBeside
    const isConnected = found.isEmailVerified && (await connecting(context, transaction, scope, { identity, grant }))
    const account = isConnected ? { ...found, hasGoogleCalendarAccess: true } : found
    return { token, account, isNew: known === null && account.passwordHash === null, from }
  })
}
