/** The provider of identities as the settings name it: how it is found, and what is asked of it. */
import * as oidc from 'openid-client'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'

/** Calendars the product made itself, and the names of the others. */
export const calendarScopes = [
  'https://www.googleapis.com/auth/calendar.app.created',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
] as const
const identityScopes = ['openid', 'profile', 'email'] as const

/** Where a trial's own stand-in stands, and who we are to it. */
export const localIssuerPath = '/dev/issuer'
export const localCalendarPath = '/dev/google/calendar/v3'
export const localClient = { clientId: 'soigne', clientSecret: 'only-in-a-trial' } as const

interface Provider {
  issuer: string
  clientId: string
  clientSecret: string
  isLocal: boolean
}

/** Null where nobody can be asked: in production without credentials. */
export function providerOf({ settings, publicUrl }: AppContext): Provider | null {
  if (settings.provider) return { ...settings.provider, isLocal: false }
  return settings.mode === 'trial' ? { issuer: publicUrl() + localIssuerPath, ...localClient, isLocal: true } : null
}

/** Where visits are written for people who gave us a calendar; null where there is none. */
export function calendarUrlOf({ settings, publicUrl }: AppContext): string | null {
  if (settings.calendarUrl) return settings.calendarUrl
  return settings.provider === null && settings.mode === 'trial' ? publicUrl() + localCalendarPath : null
}

/** What pages call it; null where there is none. */
export function providerName(context: AppContext): string | null {
  const provider = providerOf(context)
  if (!provider) return null
  const { host } = new URL(provider.issuer)
  return provider.isLocal || host === 'accounts.google.com' ? 'Google' : host
}

/** The address of our own stand-in from within the machine: the one people type may not lead here. */
export function fromWithin({ settings, publicUrl }: AppContext, url: string): string {
  const isOurs = url.startsWith(`${publicUrl()}/dev/`)
  if (!isOurs || settings.port === 0) return url
  const host = ['0.0.0.0', '::', 'localhost'].includes(settings.host) ? '127.0.0.1' : settings.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${settings.port}${url.slice(publicUrl().length)}`
}

const answerSeconds = 10
const known = new WeakMap<AppContext, { issuer: string; found: Promise<oidc.Configuration> }>()

/** The provider as it describes itself; asked once, and again after a failure. @throws not_found, unavailable */
export async function discovered(context: AppContext): Promise<oidc.Configuration> {
  const provider = providerOf(context)
  if (!provider) throw refuse('not_found')
  const kept = known.get(context)
  if (kept?.issuer === provider.issuer) return kept.found
  const fetchFromWithin: oidc.CustomFetch = (url, options) => fetch(fromWithin(context, url), options as RequestInit)
  const found = oidc
    .discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
      timeout: answerSeconds,
      [oidc.customFetch]: fetchFromWithin,
      ...(provider.issuer.startsWith('http:') && { execute: [oidc.allowInsecureRequests] }),
    })
    .catch((error: unknown) => {
      known.delete(context)
      context.log.warn({ err: error }, 'the provider of identities does not answer')
      throw refuse('unavailable')
    })
  known.set(context, { issuer: provider.issuer, found })
  return found
}

/** Scopes as one asks for them: calendars only where there is a place to write. */
export const scopesOf = (context: AppContext): string =>
  [...(calendarUrlOf(context) === null ? [] : calendarScopes), ...identityScopes].join(' ')
