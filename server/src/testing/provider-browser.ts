/** A browser at the trial's provider of identities, over real HTTP. */
import type { TestApp } from './test-app.ts'

/** Lets the server listen, so that it can ask its own stand-in. */
export async function listening(t: TestApp): Promise<string> {
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  t.context.publicUrl = () => address
  return address
}

interface Person {
  name?: string
  email: string
  isVerified?: boolean
  letsCalendar?: boolean
  answer?: 'allow' | 'deny'
}

export interface Returned {
  /** The address the provider sends back to. */
  back: URL
  /** What the browser keeps meanwhile. */
  cookie: string
  body: { googleToken: string; state: string; iss: string; role: string }
}

/** Goes to the provider, says who it is, and comes back with a code. */
export async function goToProvider(address: string, person: Person, query: Record<string, string> = {}): Promise<Returned> {
  const start = await fetch(`${address}/api/v1/client/auth/google/start?${new URLSearchParams({ role: 'isClient', ...query })}`, {
    redirect: 'manual',
  })
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const page = new URL(start.headers.get('location') ?? '')
  const html = await (await fetch(page)).text()
  const hidden = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const { name = 'Camille Martin', email, isVerified = true, letsCalendar = false, answer = 'allow' } = person
  const form = new URLSearchParams([
    ...hidden.map(([key = '', value = '']): [string, string] => [key, value.replaceAll('&#38;', '&')]),
    ['name', name],
    ['email', email],
    ...(isVerified ? [['verified', '1'] as [string, string]] : []),
    ...(letsCalendar ? [['calendar', '1'] as [string, string]] : []),
    ['answer', answer],
  ])
  const answered = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(answered.headers.get('location') ?? '')
  const of = (key: string): string => back.searchParams.get(key) ?? ''
  return { back, cookie, body: { googleToken: of('code'), state: of('state'), iss: of('iss'), role: query['role'] ?? 'isClient' } }
}
