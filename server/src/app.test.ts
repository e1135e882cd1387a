/** The HTTP server around the calls: headers, unknown paths, odd bodies, what is open to whom, a database that is away. */
import { type AddressInfo, connect } from 'node:net'
import type { AccessRule } from '@soigne/contract/access'
import { calls } from '@soigne/contract/calls'
import { refusals } from '@soigne/contract/refusals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdsPath, refused, visitsPath } from '#/testing/booking.ts'
import { type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { buildApp } from './app.ts'
import { openDatabase } from './platform/database.ts'
import { readSettings } from './settings.ts'

let t: TestApp
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp()
  client = await makeUser(t.db)
})
afterAll(() => t.close())

const loginPath = calls.login.path

describe('every answer', () => {
  it.each([
    ['a call', '/api/v1/client/home', {}],
    ['a refusal', '/api/v1/secure/appointments', {}],
    ['an unknown call', '/api/v1/nothing', {}],
    ['the document', '/api/openapi.json', {}],
    ['health', '/health', {}],
    ['an unknown file', '/files/pictures/no.webp', {}],
    ['the mailbox', '/dev/mail', {}],
    ['a broken address', '/api/v1/%zz', {}],
  ])('has the headers that keep browsers safe: %s', async (_name, path) => {
    const { headers } = await t.inject('GET', path)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers['permissions-policy']).toContain('publickey-credentials-create=(self), publickey-credentials-get=(self)')
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['server']).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('to somebody signed in is not stored; a 401 names the scheme', async () => {
    expect((await t.inject('GET', visitsPath, { token: client.token })).headers['cache-control']).toBe('no-store')
    const closed = await t.inject('GET', visitsPath)
    expect([closed.headers['cache-control'], closed.headers['www-authenticate']]).toEqual(['no-store', 'Bearer'])
  })

  it('asks for HTTPS for good where the public address has it', async () => {
    const secure = await buildApp({ ...t.context, publicUrl: () => 'https://soigne.example' })
    const { headers } = await secure.app.inject('/health')
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    await secure.app.close()
    expect((await t.inject('GET', '/health')).headers['strict-transport-security']).toBeUndefined()
  })
})

describe('an address nobody answers', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/client/institutes',
    '/api/V1/client/institutes',
    '/api/v1/client//institutes',
    '/nothing',
    '/dev/nothing',
    '/.env',
    '/api/v1/../../etc/passwd',
  ])('%s is not found, in three languages', async (path) => {
    const said = await Promise.all(
      ['en', 'fr', 'ar'].map(async (locale) => {
        const answer = await t.inject('GET', path, { locale })
        expect(refused(answer)).toEqual([404, 'not_found'])
        return answer.body['message']
      }),
    )
    expect(new Set(said).size).toBe(3)
  })

  it('also by another method', async () => {
    for (const [method, path] of [
      ['DELETE', visitsPath],
      ['POST', '/api/v1/client/institutes'],
      ['PUT', loginPath],
      ['POST', '/nothing'],
      ['DELETE', '/health'],
    ] as const)
      expect(refused(await t.inject(method, path))).toEqual([404, 'not_found'])
  })

  it('that is broken is refused in the shape of every refusal', async () => {
    expect(refused(await t.inject('GET', '/api/v1/%zz'))).toEqual([400, 'bad_input'])
    expect(refused(await t.inject('GET', `${visitsPath}/${'a'.repeat(1000)}`, { token: client.token }))[1]).toMatch(
      /^(not_found|too_large|bad_input)$/,
    )
  })
})

/** What a raw connection is answered. */
async function spoken(bytes: string): Promise<string> {
  const { port } = t.app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => void (answer += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

describe('an expectation nobody knows', () => {
  it('is overlooked rather than refused without a word', async () => {
    if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await spoken('GET /health HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('bytes that are no request', () => {
  beforeAll(async () => {
    if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  })

  it.each([
    ['nonsense', 'hello\r\n\r\n', 400, 'bad_input'],
    ['a header without name', 'GET /health HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 400, 'bad_input'],
    [
      'two lengths',
      'POST /api/v1/client/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
      'bad_input',
    ],
    [
      'a length and chunks',
      'POST /api/v1/client/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_input',
    ],
    ['endless headers', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 413, 'too_large'],
  ])('are refused like everything else: %s', async (_name, bytes, status, code) => {
    const [head = '', body = ''] = (await spoken(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(body)).toEqual({ code, message: expect.stringMatching(/\w/) as string })
  })
})

describe('a body', () => {
  it('larger than allowed is too large', async () => {
    const answer = await t.inject('POST', loginPath, { body: { email: 'a'.repeat(300_000) } })
    expect(refused(answer)).toEqual([413, 'too_large'])
  })

  it.each([
    ['text', 'text/plain', 'hello'],
    ['a form', 'application/x-www-form-urlencoded', 'email=a'],
    ['XML', 'application/xml', '<a/>'],
    ['a multipart form', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--b--\r\n'],
    ['an unknown type', 'nonsense', '{}'],
    ['JSON of another name', 'application/json5', '{}'],
  ])('of %s is of the wrong type', async (_name, type, payload) => {
    expect(refused(await t.inject('POST', loginPath, { payload, headers: { 'content-type': type } }))).toEqual([415, 'wrong_type'])
  })

  it('without any type is of the wrong type', async () => {
    expect(refused(await t.inject('POST', loginPath, { payload: Buffer.from('{}') }))).toEqual([415, 'wrong_type'])
  })

  it.each([
    '{',
    '{"email":}',
    'undefined',
    '[1,',
    "{'email':1}",
    '{"a":1}{"b":2}',
    '{"__proto__":{"admin":true}}',
    '{"email":"a","constructor":{"prototype":{}}}',
    '{"role":{"__proto__":1}}',
  ])('%s is malformed', async (payload) => {
    expect(refused(await t.inject('POST', loginPath, { payload, headers: { 'content-type': 'application/json' } }))).toEqual([
      400,
      'bad_input',
    ])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('may speak of __proto__ in its words', async () => {
    const answer = await t.inject('POST', loginPath, { body: { email: 'a@people.test', password: '{"__proto__": 1}', role: 'isClient' } })
    expect(refused(answer)).toEqual([401, 'wrong_credentials'])
  })

  it.each([
    ['none', {}],
    ['an empty one of JSON type', { payload: '', headers: { 'content-type': 'application/json' } }],
    ['an empty one of text type', { payload: '', headers: { 'content-type': 'text/plain' } }],
    ['an empty one of form type', { payload: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('is not needed by calls without payload: %s', async (_name, request) => {
    const user = await makeUser(t.db)
    expect((await t.inject('POST', calls.logout.path, { token: user.token, ...request })).status).toBe(200)
  })
})

/** What the document says of a token: none, or what it must be good for. */
function securityOf(rule: AccessRule): { bearer: string[] }[] {
  if (rule === 'public') return []
  if (rule.of === 'self') return [{ bearer: rule.verified ? ['verified'] : [] }]
  return [{ bearer: ['verified', `${rule.of}:${rule.may}`] }]
}

describe('the document of the calls', () => {
  it('names every call with its method, and every refusal it may give', async () => {
    const { body } = await t.inject('GET', '/api/openapi.json')
    const paths = body['paths'] as unknown as Record<
      string,
      Record<string, { operationId: string; security?: unknown; responses: Record<string, { description: string }> }>
    >
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    )
    expect(listed.toSorted()).toEqual(
      Object.entries(calls)
        .map(([name, { method, path }]) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${name}`)
        .toSorted(),
    )
    for (const [name, call] of Object.entries(calls)) {
      const operation = paths[call.path.replaceAll(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()]
      expect(operation?.security, name).toEqual(securityOf(call.access))
      for (const code of 'refusals' in call ? call.refusals : [])
        expect(operation?.responses[String(refusals[code])]?.description, name).toContain(code)
    }
  })

  it('is about the calls that are served, all of them', () => {
    expect([...t.served.keys()].toSorted()).toEqual(Object.keys(calls).toSorted())
  })
})

describe('what operators read', () => {
  it('health and readiness answer anybody', async () => {
    expect((await t.inject('GET', '/health')).body).toEqual({ status: 'ok' })
    // It waits for its one row no longer than a balancer does, which a halted disk may take for once.
    await expect.poll(async () => (await t.inject('GET', '/ready')).body).toEqual({ status: 'ready' })
  })

  it('readiness is whether a booking could be kept: neither a full disk nor a database that may only be read will do', async () => {
    const full = await buildApp({ ...t.context, roomLeft: async () => 0 })
    expect((await full.app.inject('/ready')).statusCode).toBe(503)
    await full.app.close()
    const database = openDatabase(
      `${t.databaseUrl}${t.databaseUrl.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`,
      {
        size: 2,
        onError: () => {},
      },
    )
    const readOnly = await buildApp({ ...t.context, database: { ...t.context.database, db: database.db } })
    const answer = await readOnly.app.inject('/ready')
    expect([answer.statusCode, (answer.json() as { code: string }).code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '2'])
    await readOnly.app.close()
    await database.close()
  })

  it('readiness does not wait for a database that keeps silent', async () => {
    const silent = await buildApp({ ...t.context, roomLeft: () => new Promise(() => {}) })
    expect((await silent.app.inject('/ready')).statusCode).toBe(503)
    await silent.app.close()
  })

  it('figures are for the machine itself, whatever a header claims', async () => {
    const local = await t.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect([local.statusCode, local.body.includes('http_request_duration_seconds')]).toEqual([200, true])
    for (const remoteAddress of ['203.0.113.7', '10.0.0.4', '2001:db8::1', '::ffff:203.0.113.7', '1270.0.0.1']) {
      const far = await t.app.inject({
        url: '/metrics',
        remoteAddress,
        headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
      })
      expect([far.statusCode, (far.json() as { code: string }).code]).toEqual([404, 'not_found'])
    }
  })

  it('figures are not for a proxy on the same machine; with a token they are for who has it', async () => {
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
      expect((await t.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers: { [name]: 'a' } })).statusCode).toBe(404)
    const token = 'a-token-of-the-figures'
    const locked = await buildApp({ ...t.context, settings: { ...t.context.settings, metricsToken: token } })
    const ask = async (remoteAddress: string, headers: Record<string, string>): Promise<number> =>
      (await locked.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    expect(await ask('127.0.0.1', {})).toBe(404)
    expect(await ask('127.0.0.1', { authorization: `Bearer ${token}x` })).toBe(404)
    expect(await ask('203.0.113.7', { authorization: `Bearer ${token}` })).toBe(200)
    expect(await ask('203.0.113.7', { authorization: `Bearer ${token}`, 'x-forwarded-for': '198.51.100.1' })).toBe(404)
    await locked.app.close()
    const site = await buildApp({ ...t.context, settings: { ...t.context.settings, mode: 'production' } })
    expect((await site.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).statusCode).toBe(404)
    await site.app.close()
  })

  it('the development mailbox is there in a trial and absent in production', async () => {
    expect((await t.inject('GET', '/dev/mail.json')).status).toBe(200)
    const settings = readSettings({
      MODE: 'production',
      DATA_DIR: t.context.settings.dataDir,
      PUBLIC_URL: 'https://soigne.example',
      SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtps://a:b@mail.example',
      MAIL_FROM: 'a@soigne.example',
      TRUST_PROXY: '127.0.0.1',
    })
    const production = await buildApp({ ...t.context, settings })
    for (const path of ['/dev/mail', '/dev/mail.json', '/dev/mail/00000000-0000-0000-0000-000000000000'])
      expect((await production.app.inject(path)).statusCode).toBe(404)
    await production.app.close()
  })
})

describe('when something breaks', () => {
  it('inside, the answer has an id to look for and no word of the inside', async () => {
    const state = { isBroken: false }
    const broken = await buildApp({
      ...t.context,
      clock: {
        now: () => {
          if (state.isBroken) throw new Error('select secret from users at /srv/app.ts:1')
          return t.clock.now()
        },
      },
    })
    state.isBroken = true
    for (const locale of ['en', 'fr', 'ar']) {
      const answer = await broken.app.inject({
        url: visitsPath,
        headers: { authorization: `Bearer ${client.token}`, 'accept-language': locale },
      })
      const body = answer.json() as { code: string; message: string; details: { id: string } }
      expect([answer.statusCode, body.code]).toEqual([500, 'internal'])
      expect(body.details.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.body).not.toMatch(/select|app\.ts|Error:|stack/)
    }
    state.isBroken = false
    await broken.app.close()
  })

  it.each([
    ['refuses connections', 'postgres://postgres@127.0.0.1:9/nothing'],
    ['has no socket', 'postgres://postgres@%2Fnowhere/nothing'],
    ['has no such database', null],
  ])('a database that %s makes 503 with the time to come back', async (_name, address) => {
    const url =
      address ??
      String((t.ownerPool as unknown as { options: { connectionString: string } }).options.connectionString).replace(
        /\/t_[^?]*/,
        '/nothing_there',
      )
    const database = openDatabase(url, { size: 2, onError: () => {} })
    const away = await buildApp({ ...t.context, database })
    for (const path of ['/ready', visitsPath, holdsPath, '/api/v1/client/institutes']) {
      const answer = await away.app.inject({ url: path, headers: { authorization: `Bearer ${client.token}` } })
      expect([path, answer.statusCode, (answer.json() as { code: string }).code, answer.headers['retry-after']]).toEqual([
        path,
        503,
        'unavailable',
        '2',
      ])
    }
    expect((await away.app.inject('/health')).statusCode).toBe(200)
    await database.close()
    const closed = await away.app.inject('/ready')
    expect([closed.statusCode, (closed.json() as { code: string }).code]).toEqual([503, 'unavailable'])
    await away.app.close()
  })
})
