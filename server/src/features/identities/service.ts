/** Asking a provider who somebody is: the way there, what a browser keeps meanwhile, and what comes back. */
import { minuteMs } from '@soigne/contract/time'
import { sitePath } from '@soigne/contract/site-routes'
import { type Role, role as roleSchema } from '@soigne/contract/wire'
import * as oidc from 'openid-client'
import * as z from 'zod/mini'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, RefusalError } from '#/platform/refuse.ts'
import { seal, unseal } from '#/platform/sealed.ts'
import { calendarScopes, discovered, scopesOf } from './provider.ts'

export { calendarScopes, calendarUrlOf, fromWithin, localCalendarPath, localClient, localIssuerPath, providerName } from './provider.ts'

/** Who somebody is at a provider. Only issuer and subject stay the same for life. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
}
/** What they let us do there. */
export interface Grant {
  /** Opens their calendar without them; null when none was given. */
  refreshToken: string | null
  hasCalendar: boolean
}

const kept = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  role: roleSchema,
  from: z.nullable(z.string()),
  /** Begun to be let into a calendar. */
  forCalendar: z._default(z.boolean(), false),
  until: z.number(),
})
type Kept = z.output<typeof kept>

export const cookieName = 'soigne_sign_in'
const purpose = 'sign-in'
const lifeMs = 10 * minuteMs

/** Where the provider sends people back to: the one address that has to be registered there. */
export const returnAddress = (context: AppContext): string => context.publicUrl() + sitePath('login')

/** The address at the provider, and what the browser keeps until it comes back. The state begins with the role, which the page sends again. */
export async function beginAtProvider(
  context: AppContext,
  asked: { role: Role; from: string | null; forCalendar: boolean },
): Promise<{ address: string; cookie: string; seconds: number }> {
  const provider = await discovered(context)
  const verifier = oidc.randomPKCECodeVerifier()
  const { role, from, forCalendar } = asked
  const keep: Kept = {
    state: `${role}.${oidc.randomState()}`,
    nonce: oidc.randomNonce(),
    verifier,
    role,
    from,
    forCalendar,
    until: context.clock.now() + lifeMs,
  }
  const address = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: returnAddress(context),
    scope: scopesOf(context),
    state: keep.state,
    nonce: keep.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    access_type: 'offline',
    // Only who is asked again gives a token that opens the calendar again.
    ...(forCalendar && { prompt: 'consent' }),
  })
  return { address: address.href, cookie: seal(context.settings.tokenKeys, purpose, JSON.stringify(keep)), seconds: lifeMs / 1000 }
}

function keptIn(context: AppContext, cookies: string): Kept {
  const [, sealed] = new RegExp(`(?:^|; *)${cookieName}=([^;]+)`).exec(cookies) ?? []
  const text = sealed === undefined ? null : unseal(context.settings.tokenKeys, purpose, sealed)
  const parsed = text === null ? null : kept.safeParse(JSON.parse(text))
  if (!parsed?.success || parsed.data.until < context.clock.now()) throw refuse('sign_in_failed')
  return parsed.data
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null)

function identityOf(claims: oidc.IDToken): Identity {
  const [first = null, ...rest] = (textOf(claims['name']) ?? '').split(/\s+/).filter(Boolean)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(claims['email']),
    // Some providers say it as a word.
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    firstName: textOf(claims['given_name']) ?? first,
    lastName: textOf(claims['family_name']) ?? textOf(rest.join(' ')),
  }
}

export interface Returned {
  googleToken: string
  state?: string | undefined
  iss?: string | undefined
}

/** Exchanges what a browser came back with. @throws sign_in_failed, unavailable */
export async function finishAtProvider(
  context: AppContext,
  { googleToken, state, iss }: Returned,
  cookies: string,
): Promise<{ identity: Identity; grant: Grant; role: Role; from: string | null; forCalendar: boolean }> {
  const { state: expectedState, nonce, verifier, role, from, forCalendar } = keptIn(context, cookies)
  const provider = await discovered(context)
  const query = new URLSearchParams({ code: googleToken, state: state ?? '', ...(iss !== undefined && { iss }) })
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${returnAddress(context)}?${query}`), {
      expectedState,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw refuse('sign_in_failed')
    const granted = (tokens.scope ?? '').split(' ')
    return {
      identity: identityOf(claims),
      grant: { refreshToken: tokens.refresh_token ?? null, hasCalendar: granted.includes(calendarScopes[0]) },
      role,
      from,
      forCalendar,
    }
  } catch (error) {
    if (error instanceof RefusalError) throw error
    if (isAway(error)) throw refuse('unavailable')
    context.log.info({ err: (error as Error).message }, 'a sign-in at the provider failed')
    throw refuse('sign_in_failed')
  }
}

/** The provider did not answer, or answers that it cannot now. */
const isAway = (error: unknown): boolean => {
  const { status, name } = error as { status?: number; name?: string }
  return (status !== undefined && (status === 429 || status >= 500)) || name === 'TimeoutError' || error instanceof TypeError
}

/** Null when the person took back what they had let us do. @throws where the provider is away */
export async function accessTokenFor(context: AppContext, refreshToken: string): Promise<string | null> {
  try {
    return (await oidc.refreshTokenGrant(await discovered(context), refreshToken)).access_token
  } catch (error) {
    if ((error as { error?: string }).error === 'invalid_grant') return null
    throw error
  }
}

/** Tells the provider that we need it no more; it may be away, or know already. */
export async function giveBack(context: AppContext, refreshToken: string): Promise<void> {
  try {
    await oidc.tokenRevocation(await discovered(context), refreshToken)
  } catch (error) {
    context.log.info({ err: (error as Error).message }, 'a token could not be given back')
  }
}
