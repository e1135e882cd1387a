/** Requests no client would send: broken targets, strange methods and headers, bodies that lie about themselves. */
import fc from 'fast-check'
import type { Operation } from './fuzz-asking.ts'
import type { FuzzWorld } from './fuzz-world.ts'

export interface HostileRequest {
  who: string
  method: string
  target: string
  bytes: Buffer
  /** The address is one of a page rather than of a call or a file. */
  page: boolean
}

const methods = ['GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'GETT', 'QUERY'] as const

const oddPieces = [
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '%c0%af',
  '%2e%2e%2f',
  '..',
  '//',
  ';a=b',
  '\u202e',
  'é',
  '\\',
  '%F0%9F%99%88',
  '#x',
  '%25',
  ' ',
  '"',
  '<b>',
  '\t',
  '{}',
  '|',
  'x'.repeat(400),
  'x'.repeat(17_000),
] as const
const oddQueries = [
  '?',
  '?&&&=',
  '?a[b]=1&a[]=2',
  '?__proto__=1&constructor=2',
  '?day=2026-02-30',
  '?day=0000-01-01',
  '?lat=%00&lon=NaN',
  '?lat=1e-320&lon=-0',
  '?lat=91',
  '?what=%F0%9F%99%88&what=%ud800',
  '?what=%E2%80%AEabc',
  '?page=1e5&pageSize=20',
  '?page=100000&pageSize=50',
  '?service=any&service=any',
  `?${'service=x&'.repeat(1200)}`,
  '?lang=fr&lang=ar',
  '?lang=xx',
  '?sort=soonest&day=2099-12-31&part=evening',
  '?area=180,90,-180,-90',
  '?radiusKm=0.05&page=1.5',
  '?maxPrice=1.123456789012345678&minRating=4.999999999999999999999',
  '?day=2026-11-31&sort=nearest&lat=5&lon=',
  '?area=4,45,5,46&what=a%25_b%5C',
  '?place=%5C%25_&radiusKm=500',
  '?what=(((((((((&category=hair',
  '?_data=root',
  '?_routes=x',
  '?index',
] as const
const oddHeaders = [
  'Range: bytes=0-10',
  'Range: bytes=9999999999-',
  'Range: bytes=5-1,a-b',
  'If-None-Match: *',
  'If-None-Match: W/"x"',
  'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
  'If-Modified-Since: nonsense',
  'If-Match: "x"',
  'Expect: 100-continue',
  'Expect: the-unexpected',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE',
  'X-Forwarded-For: 1.2.3.4, , \u00e9',
  'X-Forwarded-Host: evil.test',
  'Accept: image/webp',
  'Accept-Encoding: br;q=0, *;q=0',
  'Accept-Encoding: zstd',
  'Accept-Language: ,;q=,q=2',
  `Accept-Language: ${'a-b,'.repeat(2000)}`,
  `Cookie: locale=ar; ${'x=y; '.repeat(800)}`,
  'Cookie: locale=%00; map=',
  'Authorization: Basic YTpi',
  'Authorization: Bearer',
  'Authorization: Bearer a b',
  `Authorization: Bearer ${'z'.repeat(9000)}`,
  'Idempotency-Key: \u00ff\u00fe',
  'Idempotency-Key: a\r\nIdempotency-Key: b',
  'Host: evil.test:99999',
  'Transfer-Encoding: gzip',
  'Content-Encoding: gzip',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'X-Nul: a\u0000b',
  ' folded: yes',
  `X-Big: ${'b'.repeat(20_000)}`,
  Array.from({ length: 2500 }, (_, n) => `X-${n}: 1`).join('\r\n'),
  'X-React-Router-Request: yes',
] as const
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/JSON;;;',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data; boundary=',
  'application/json, text/html',
  '',
] as const
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const oddBodies = (known: readonly string[]): (string | Buffer)[] => [
  deep(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"services":${deep(3000)},"instituteId":"${known[0] ?? ''}"}`,
  `{"holdId":"${known[0] ?? ''}","holdId":null,"note":"x","note":"\\u0000"}`,
  '{"email":"a@b.test","email":{"x":1},"password":"1","password":[]}',
  '{"email":"\\ud800@b.test","password":"\\udfff","role":"isPro"}',
  '{"firstName":"\u202e\u2066x","lastName":"\ufeff"}',
  `{"instituteId":"${known[0] ?? ''}","services":[{"serviceId":"${known[3] ?? ''}"}],"startsAt":"2026-11-24T10:00:60Z"}`,
  `{"instituteId":"${known[0] ?? ''}","services":[{"serviceId":"${known[3] ?? ''}"}],"startsAt":"0000-01-01T00:00:00Z"}`,
  `{"instituteId":"${known[0] ?? ''}","services":[{"serviceId":"${known[3] ?? ''}"}],"startsAt":"2026-12-01T10:00:00+23:59"}`,
  `{"instituteId":"${known[0] ?? ''}","services":[{"serviceId":"${known[3] ?? ''}"}],"startsAt":"2026-12-01T10:00:00.123456789123Z"}`,
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"\\u005f_proto__":{"admin":true}}',
  '1e999',
  '-0',
  '"\\ud83d"',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]),
  Buffer.alloc(250_000, 0x20),
  '--b\r\nContent-Disposition: form-data; name="picture"; filename="\u0000.svg"\r\nContent-Type: image/svg+xml\r\n\r\n<svg onload=x>\r\n--b--\r\n',
  '--b\r\nContent-Disposition: form-data; name="picture"\r\n\r\n',
]

/** The same bytes in chunks, some of them with extensions, one perhaps said to be shorter than it is. */
function chunked(body: Buffer, lie: boolean): Buffer {
  const half = Math.floor(body.length / 2)
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0)
  const written = parts.flatMap((part, n) => [
    Buffer.from(`${(part.length - (lie && n === 0 ? 1 : 0)).toString(16)}${n === 0 ? ';x="y"' : ''}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from('0\r\nX-Trailer: 1\r\n\r\n')])
}

const pagePaths = (slugs: readonly string[]): string[] => [
  '/',
  '/institutes',
  ...slugs.flatMap((slug) => [`/salon/${slug}`, `/salon/${slug}/book`, `/salon/${slug}.data`]),
  '/salon/',
  '/salon/nobody',
  '/salon/%',
  '/terms',
  '/contact',
  '/login',
  '/register',
  '/appointment/list',
  '/appointment/x',
  '/mysalon',
  '/_root.data',
  '/institutes.data',
  '/art/cover/x.svg',
  '/art/face/../x',
  '/art/nothing/y.svg',
  '/map/land/0/0/0',
  '/assets/nothing.js',
  '/assets/../../package.json',
  '/..%2f..%2fpackage.json',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/.git/config',
  '/nowhere',
]
const filePaths = [
  '/health',
  '/ready',
  '/api',
  '/api/',
  '/api/v2/x',
  '/api/openapi.json',
  '/files/x',
  '/files/../secret',
  '/files/%2e%2e/secret',
  '/dev/mail',
  '/dev/mail/x',
]
const wholeTargets = ['*', 'http://evil.test/', '//evil.test/x', 'nowhere', '/\u0000', `/${'a/'.repeat(9000)}`, '/?', '/%']

const isPage = (target: string): boolean => target.startsWith('/') && !/^\/(?:api|files|dev|health|ready|metrics)(?:[/?;%.]|$)/.test(target)

/** Hostile requests; without pages none asks for one. */
export function hostile(operations: readonly Operation[], world: FuzzWorld, withPages: boolean): fc.Arbitrary<HostileRequest> {
  const callPaths = operations.map(({ path }) => path.replace(/\{slug\}/, world.slugs[0] ?? 'x').replace(/\{\w+\}/g, world.known[0] ?? 'x'))
  const targets = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...callPaths) },
    { weight: withPages ? 6 : 0, arbitrary: fc.constantFrom(...pagePaths(world.slugs)) },
    { weight: 2, arbitrary: fc.constantFrom(...filePaths) },
    { weight: withPages ? 1 : 0, arbitrary: fc.constantFrom(...wholeTargets) },
  )
  return fc
    .record({
      who: fc.constantFrom(...Object.keys(world.tokens)),
      method: fc.constantFrom(...methods),
      base: targets,
      piece: fc.option(fc.constantFrom(...oddPieces), { freq: 4, nil: '' }),
      query: fc.option(fc.constantFrom(...oddQueries), { freq: 2, nil: '' }),
      headers: fc.uniqueArray(fc.constantFrom(...oddHeaders), { maxLength: 3 }),
      type: fc.constantFrom(...types),
      body: fc.option(fc.constantFrom(...oddBodies(world.known)), { freq: 2 }),
      framing: fc.constantFrom('length', 'length', 'chunks', 'lying chunks', 'short length'),
      version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'HTTQ/1.1'),
    })
    .map(({ who, method, base, piece, query, headers, type, body, framing, version }) => {
      const target = `${base}${piece}${query}`
      const token = world.tokens[who]
      const lines = [`${method} ${target} ${version}`, 'Host: localhost', ...headers]
      if (token !== undefined) lines.push(`Authorization: Bearer ${token}`)
      let payload: Buffer = Buffer.alloc(0)
      if (body !== null) {
        payload = Buffer.from(body as string)
        lines.push(`Content-Type: ${type}`)
        if (framing.includes('chunks')) {
          lines.push('Transfer-Encoding: chunked')
          // Node itself falls silent over a broken chunk of a request that asks for an upgrade, until its own timeout.
          payload = chunked(payload, framing.startsWith('lying') && !headers.some((header) => /upgrade/i.test(header)))
        } else lines.push(`Content-Length: ${framing === 'length' ? payload.length : Math.max(0, payload.length - 2)}`)
      } else if (method === 'POST' || method === 'PUT') lines.push('Content-Length: 0')
      const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), payload])
      return { who, method, target, bytes, page: isPage(target) }
    })
}
