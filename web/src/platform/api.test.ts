import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { ApiError, failureText } from './api-error.ts'
import { api, queryString } from './api.ts'

const id = '019a0000-0000-7000-8000-000000000001'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
}

describe('a call', () => {
  it('[C-01] sends the stored language, English when there is none', async () => {
    const seen = fakeServer({ nearestPlace: () => refused(404, { code: 'not_found', message: 'None' }) })
    const query = { lat: 45, lon: 4 }
    await failureOf(api.nearestPlace({ query }))
    localStorage.setItem('locale', 'fr')
    await failureOf(api.nearestPlace({ query }))
    localStorage.setItem('locale', 'klingon')
    await failureOf(api.nearestPlace({ query }))
    expect(seen.map(({ headers }) => headers.get('accept-language'))).toEqual(['en', 'fr', 'en'])
  })

  it('[C-02] sends the stored token on secure calls only', async () => {
    localStorage.setItem('AuthToken', 'secret-1')
    const seen = fakeServer({ me: () => client, places: () => ({ items: [] }) })
    await api.me()
    await api.places({ query: { q: 'ly' } })
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret-1', null])
  })

  it('[C-02] forgets a token the server does not know, but not one that replaced it meanwhile', async () => {
    localStorage.setItem('AuthToken', 'old')
    fakeServer({ me: () => refused(401, { code: 'unauthorized', message: 'Please sign in.' }) })
    await failureOf(api.me())
    expect(localStorage.getItem('AuthToken')).toBeNull()
    localStorage.setItem('AuthToken', 'new')
    await failureOf(api.me({}, { token: 'old' }))
    expect(localStorage.getItem('AuthToken')).toBe('new')
  })

  it('[C-09] leaves empty and missing values out of the query and repeats lists', () => {
    expect(queryString({ a: '', b: null, c: undefined, d: 0, e: false, service: ['x', 'y'] })).toBe('?d=0&e=false&service=x&service=y')
    expect(queryString({ a: '' })).toBe('')
  })

  it('fills the path and carries an idempotency key', async () => {
    const seen = fakeServer({
      releaseHold: () => ({ message: 'Free again.' }),
      extendHold: () => refused(409, { code: 'hold_extended', message: 'Once only.' }),
      book: () => refused(409, { code: 'hold_expired', message: 'Too late.' }),
    })
    await api.releaseHold({ params: { id } })
    await failureOf(api.book({ body: { holdId: id }, idempotencyKey: 'key-1' }))
    expect(seen[0]?.params).toEqual({ id })
    expect(seen[1]?.headers.get('idempotency-key')).toBe('key-1')
    expect(seen[1]?.body).toEqual({ holdId: id })
  })

  it('[C-26] uploads as multipart and answers a file as a blob', async () => {
    const seen = fakeServer({
      profileImage: () => ({ message: 'Lovely.', imageUrl: '/files/1.webp' }),
      appointmentCalendarFile: () => new Blob(['BEGIN:VCALENDAR'], { type: 'text/calendar' }),
    })
    await api.profileImage({ files: { image: new Blob(['x'], { type: 'image/png' }) } })
    const form = seen[0]?.body
    expect(form instanceof FormData && form.getAll('image').length).toBe(1)
    expect(seen[0]?.headers.has('content-type')).toBe(false)
    const file = await api.appointmentCalendarFile({ params: { id } })
    expect(await file.text()).toBe('BEGIN:VCALENDAR')
  })

  it("[V-07] rejects with the server's response body", async () => {
    const body = { code: 'resend_cooldown', message: 'Please wait', timeLeft: 42_000 } as const
    fakeServer({ resendVerification: () => refused(429, body) })
    const error = await failureOf(api.resendVerification())
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(429)
    expect((error as ApiError).body).toEqual(body)
  })

  it('[V-07] keeps a body that is not JSON as its message', async () => {
    fakeServer({ me: () => refused(502, 'Bad gateway') })
    expect(failureText(await failureOf(api.me()))).toBe('Bad gateway')
  })

  it('[V-08] passes the raw error of a connection that failed', async () => {
    const raw = new TypeError('fetch failed')
    vi.stubGlobal('fetch', () => Promise.reject(raw))
    expect(await failureOf(api.me())).toBe(raw)
    expect(failureText(raw)).toBe('fetch failed')
  })

  it('[V-08] passes the raw error of a call that was called off', async () => {
    fakeServer({ me: () => client })
    const error = await failureOf(api.me({}, { signal: AbortSignal.abort() }))
    expect((error as Error).name).toBe('AbortError')
  })
})
