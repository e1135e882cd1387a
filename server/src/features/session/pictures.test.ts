import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '#/testing/factories.ts'
import { noise, plain, promise900Megapixels } from '#/testing/pictures.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/client/profile/image'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

function send(
  bytes: Uint8Array,
  token: string | undefined,
  part: { field?: string; filename?: string; type?: string } = {},
): Promise<TestAnswer> {
  const boundary = 'part-boundary-7f3'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part.field ?? 'image'}"; filename="${part.filename ?? 'me.jpg'}"\r\nContent-Type: ${part.type ?? 'image/jpeg'}\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return t.inject('PUT', path, {
    payload,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    ...(token ? { token } : {}),
  })
}

const stored = (): string[] => readdirSync(join(t.context.settings.dataDir, 'files/pictures'))

it.each(['jpeg', 'png', 'webp'] as const)('[C-26] a %s becomes a square WebP without metadata, served for good', async (format) => {
  const user = await makeUser(t.db)
  const answer = await send(await plain(format), user.token, { type: `image/${format}` })
  expect(answer.status).toBe(200)
  const imageUrl = String(answer.body['imageUrl'])
  expect(imageUrl).toMatch(/^\/files\/pictures\/[0-9a-f]{32}\.webp$/)
  expect((await t.inject('GET', '/api/v1/secure/client/profile/me', { token: user.token })).body['imageUrl']).toBe(imageUrl)
  const response = await t.app.inject({ method: 'GET', url: imageUrl })
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  const { width, height, format: kept, exif } = await sharp(response.rawPayload).metadata()
  expect({ width, height, kept, exif }).toEqual({ width: 512, height: 512, kept: 'webp', exif: undefined })
})

it('[C-26] a new picture removes the file of the old one, also when two come at once', async () => {
  const user = await makeUser(t.db)
  const before = new Set(stored())
  await send(await plain('jpeg'), user.token)
  const bytes = await plain('png')
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(bytes, user.token)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  const left = stored().filter((file) => !before.has(file))
  const { imageUrl } = (await t.inject('GET', '/api/v1/secure/client/profile/me', { token: user.token })).body
  const sizes = ['', '-320', '-96'].map((size) => String(imageUrl).replace('.webp', `${size}.webp`))
  expect(left.map((file) => `/files/pictures/${file}`).sort()).toEqual(sizes.sort())
})

it('[C-26] refuses what is not a JPEG, PNG or WebP whatever it is called', async () => {
  const user = await makeUser(t.db)
  const jpeg = await plain('jpeg')
  const hostile: Record<string, Buffer> = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
    gif: Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;', 'latin1'),
    'real gif': await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .gif()
      .toBuffer(),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    truncated: jpeg.subarray(0, Math.floor(jpeg.length / 2)),
    'header only': jpeg.subarray(0, 4),
    noise: noise(4000),
    '900 megapixels': await promise900Megapixels(),
  }
  const before = stored().length
  for (const [name, bytes] of Object.entries(hostile)) {
    const answer = await send(bytes, user.token)
    expect([name, answer.status, answer.body['code']]).toEqual([name, 415, 'wrong_type'])
  }
  expect(stored()).toHaveLength(before)
  expect((await t.inject('GET', '/api/v1/secure/client/profile/me', { token: user.token })).body['imageUrl']).toBeNull()
})

it('[C-26] refuses more than 5 MB, a missing file, another field and another kind of body', async () => {
  const user = await makeUser(t.db)
  const tooLarge = await send(Buffer.alloc(5_000_001, 1), user.token)
  expect([tooLarge.status, tooLarge.body['code']]).toEqual([413, 'too_large'])
  expect((await send(Buffer.alloc(0), user.token)).status).toBe(400)
  const otherField = await send(await plain('png'), user.token, { field: 'picture' })
  expect([otherField.status, otherField.body['details']]).toEqual([400, { fields: { image: 'Please fill this in.' } }])
  expect((await t.inject('PUT', path, { token: user.token, body: { image: 'data:' } })).status).toBe(415)
  expect((await t.inject('PUT', path, { token: user.token })).status).toBe(415)
})

it('[C-26] a form that breaks off is bad input', async () => {
  const user = await makeUser(t.db)
  for (const payload of ['', '--b', '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc', 'no form at all']) {
    const answer = await t.inject('PUT', path, {
      token: user.token,
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect([payload, answer.status]).toEqual([payload, expect.toSatisfy((status: number) => [400, 413].includes(status))])
  }
})

it('[C-26] a guest cannot upload', async () => {
  expect((await send(await plain('png'), undefined)).status).toBe(401)
})

it.each([
  'pictures/none.webp',
  'pictures/00000000000000000000000000000000.webp',
  '../secret',
  '..%2fsecret',
  '%2e%2e/secret',
  'pictures/..%2f..%2fsecret',
  'pictures/%00.webp',
  '%zz',
  '',
])('answers 4xx without a file for /files/%s', async (name) => {
  const answer = await t.inject('GET', `/files/${name}`)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
})
