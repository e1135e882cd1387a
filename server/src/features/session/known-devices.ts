/**
 * Devices an account was signed in from. Each has a count of wrong passwords of its own, so that a stranger on the same network locks nobody
 * out who has been here before. A cookie no script can read says so, sealed; it opens nothing.
 */
import { hash } from 'node:crypto'
import type { AppContext } from '#/platform/app-context.ts'
import { seal, unseal } from '#/platform/sealed.ts'
import { randomToken } from '#/platform/tokens.ts'

export const deviceCookie = 'soigne_device'
/** As long as browsers keep one. */
const keptSeconds = 400 * 86_400
const purpose = 'known device'
/** Accounts one device is remembered for, the last first. */
const mostAccounts = 3

interface Known {
  account: string
  device: string
}
const accountOf = (email: string): string => hash('sha256', email, 'base64url')

function knownOf(context: AppContext, cookies: string): Known[] {
  const [, sealed = ''] = new RegExp(`(?:^|; *)${deviceCookie}=([^;]+)`).exec(cookies) ?? []
  const text = unseal(context.settings.tokenKeys, purpose, sealed)
  return text === null ? [] : (JSON.parse(text) as Known[])
}

/** The name of the device for an account, null where it was never signed in to. */
export const knownDevice = (context: AppContext, email: string, cookies: string): string | null =>
  knownOf(context, cookies).find(({ account }) => account === accountOf(email))?.device ?? null

/** The cookie after signing in to an account. */
export function rememberedDevice(context: AppContext, email: string, cookies: string): string {
  const known = knownOf(context, cookies)
  const account = accountOf(email)
  const before = known.find((one) => one.account === account)
  const others = known.filter((one) => one.account !== account)
  const all = [before ?? { account, device: randomToken() }, ...others].slice(0, mostAccounts)
  const secure = context.publicUrl().startsWith('https:') ? '; Secure' : ''
  const value = seal(context.settings.tokenKeys, purpose, JSON.stringify(all))
  return `${deviceCookie}=${value}; Path=/api/v1; Max-Age=${keptSeconds}; HttpOnly; SameSite=Strict${secure}`
}
