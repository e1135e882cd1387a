import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictureOfSize } from '@soigne/contract/files'
import { buildApp } from '#/app.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import { inTransaction } from '#/platform/database.ts'
import { openFileStore } from '#/platform/open-file-store.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { bomb, noise, pdf, plain } from '#/testing/pictures.ts'
import { openS3Server, type S3Server } from '#/testing/s3-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import type { Purpose } from './purposes.ts'
import { dropFile, fileAddress, type OwnerScope, removeDropped, takeFile, useFile } from './service.ts'

let t: TestApp
let s3: S3Server
beforeAll(async () => {
  s3 = await openS3Server()
  t = await openTestApp()
})
afterAll(async () => {
  await t.close()
  await s3.close()
})

const scopeOf = async (app = t): Promise<SelfScope> => systemScope('test').user((await makeUser(app.db)).id)

/** A file that somebody uses. */
async function keep(
  purpose: Purpose,
  bytes: Uint8Array,
  options: { app?: TestApp; scope?: OwnerScope; name?: string } = {},
): Promise<string> {
  const { app = t, name = null } = options
  const scope = options.scope ?? (await scopeOf(app))
  const taken = await takeFile(app.context, scope, purpose, { field: 'file', name, bytes })
  await inTransaction(app.db, (transaction) => useFile(transaction, scope, taken))
  return taken.key
}

const stored = (app = t): string[] =>
  readdirSync(join(app.context.settings.dataDir, 'files'), { recursive: true })
    .map(String)
    .filter((name) => /\.\w+$/.test(name) && !name.startsWith('.'))
    .sort()

async function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await t.app.inject({ method, url, headers })
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload }
}

describe('a picture that is taken in', () => {
  it('is noted with its facts, and kept in all its sizes', async () => {
    const key = await keep('institute_picture', await plain('jpeg', 2000, 1000))
    const { rows } =
      await sql`select kind, media_type, width, height, private, state, variants, name from files where key = ${key}`.execute(t.db)
    expect(rows).toEqual([
      {
        kind: 'image',
        media_type: 'image/webp',
        width: 1280,
        height: 640,
        private: false,
        state: 'used',
        name: null,
        variants: [
          { size: 640, width: 640, height: 320, bytes: expect.any(Number) },
          { size: 320, width: 320, height: 160, bytes: expect.any(Number) },
          { size: 96, width: 96, height: 48, bytes: expect.any(Number) },
        ],
      },
    ])
    for (const [size, width] of [[undefined, 1280] as const, [640, 640] as const, [96, 96] as const]) {
      const { status, bytes } = await get(fileAddress(t.context, key, size))
      expect([status, (await sharp(bytes).metadata()).width]).toEqual([200, width])
    }
  })

  it('belongs to a person or to an institute', async () => {
    const { id } = await makeInstitute(t.db)
    const key = await keep('institute_picture', await plain('png', 200, 100), { scope: systemScope('test').institute(id) })
    const { rows } = await sql`select user_id, institute_id from files where key = ${key}`.execute(t.db)
    expect(rows).toEqual([{ user_id: null, institute_id: id }])
  })

  it('that is none is refused with the field and the reason, and leaves nothing', async () => {
    const before = stored()
    const scope = await scopeOf()
    const why = (purpose: Purpose, bytes: Uint8Array): Promise<unknown> =>
      takeFile(t.context, scope, purpose, { field: 'pictures.1', name: 'x', bytes }).then(
        () => 'taken',
        (error: { code?: string; details?: { fields?: Record<string, string> } }) => [error.code, error.details?.fields?.['pictures.1']],
      )
    expect(await why('institute_picture', noise(5000))).toEqual(['wrong_type', 'not_picture:JPEG, PNG, WebP'])
    expect(await why('institute_picture', await bomb())).toEqual(['wrong_type', 'too_many_pixels:40'])
    expect(await why('message_document', await plain('png', 9, 9))).toEqual(['wrong_type', 'not_document:PDF'])
    expect(await why('message_document', Buffer.from('<html>'))).toEqual(['wrong_type', 'not_document:PDF'])
    expect(stored()).toEqual(before)
    expect((await get('/health')).status).toBe(200)
  })
})

describe('a public file', () => {
  it('is kept by browsers for good, in whole, in part and not twice', async () => {
    const url = fileAddress(t.context, await keep('institute_picture', await plain('png', 300, 200)))
    const whole = await get(url)
    expect(whole.status).toBe(200)
    expect(whole.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-length': String(whole.bytes.length),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"/),
    })
    const etag = String(whole.headers['etag'])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(url, { 'if-none-match': known })
      expect([known, again.status, again.bytes.length, again.headers['etag']]).toEqual([known, 304, 0, etag])
    }
    expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    const size = whole.bytes.length
    for (const [range, from, to] of [
      ['bytes=5-9', 5, 9],
      ['bytes=5-', 5, size - 1],
      ['bytes=-7', size - 7, size - 1],
      [`bytes=0-${size * 9}`, 0, size - 1],
    ] as const) {
      const part = await get(url, { range })
      expect([range, part.status, part.headers['content-range']]).toEqual([range, 206, `bytes ${from}-${to}/${size}`])
      expect(part.bytes.equals(whole.bytes.subarray(from, to + 1))).toBe(true)
    }
    const none = await get(url, { range: `bytes=${size}-` })
    expect([none.status, none.headers['content-range'], none.headers['cache-control']]).toEqual([416, `bytes */${size}`, 'no-store'])
    for (const odd of ['bytes=0-1,3-4', 'lines=1-2', 'bytes', 'bytes=9-5;'])
      expect([odd, [200, 416].includes((await get(url, { range: odd })).status)]).toEqual([odd, true])
    expect((await get(url, { range: 'bytes=5-9', 'if-range': '"other"' })).status).toBe(200)
    expect((await get(url, { range: 'bytes=5-9', 'if-range': etag })).status).toBe(206)
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.bytes.length, head.headers['content-length'], head.headers['etag']]).toEqual([200, 0, String(size), etag])
  })

  it('in a size that was not made is answered with the picture itself, and not for good', async () => {
    const key = await keep('institute_picture', await plain('png', 200, 100))
    const { status, headers, bytes } = await get(fileAddress(t.context, key, 640))
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    expect((await sharp(bytes).metadata()).width).toBe(200)
    expect(fileAddress(t.context, key, 96)).toBe(pictureOfSize(fileAddress(t.context, key), 96))
    expect((await get(`/files/pictures/${'0'.repeat(32)}-640.webp`)).status).toBe(404)
  })
})

describe('a private file', () => {
  const aDocument = (name?: string): Promise<string> => keep('message_document', pdf(), name === undefined ? {} : { name })

  it('is served to who has its address, as something to save, and kept by nobody else', async () => {
    const url = fileAddress(t.context, await aDocument('Relevé d’été.pdf'))
    const { status, headers, bytes } = await get(url)
    expect(status).toBe(200)
    expect(bytes.equals(pdf())).toBe(true)
    expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="Relev. d.?.t.\.pdf"; filename\*=UTF-8''Relev%C3%A9%20d%E2%80%99%C3%A9t%C3%A9\.pdf$/,
    )
    expect(headers['cache-control']).toMatch(/^private, max-age=(?:3[6-9]|4[0-5])\d\d, immutable$/)
    expect((await get(url, { range: 'bytes=1-3' })).bytes.toString()).toBe('PDF')
    expect((await get(url, { 'if-none-match': String(headers['etag']) })).status).toBe(304)
  })

  it('names itself without paths and what a header could trip over', async () => {
    const key = await aDocument('..\\..\\evil"\r\nSet-Cookie: a=b/../menu\u202e\0.pdf')
    const disposition = String((await get(fileAddress(t.context, key))).headers['content-disposition'])
    expect(disposition).toBe('attachment; filename=menu.pdf')
    const nameless = await aDocument('/\u0000')
    expect((await get(fileAddress(t.context, nameless))).headers['content-disposition']).toBe('attachment; filename=document')
  })

  it('is not there without a proof, with a wrong one, or with that of another file', async () => {
    const key = await aDocument()
    const other = fileAddress(t.context, await aDocument())
    const [path, query] = fileAddress(t.context, key).split('?')
    const proof = new URLSearchParams(query)
    const altered = (change: Record<string, string>): string =>
      `${path}?${new URLSearchParams({ ...Object.fromEntries(proof), ...change }).toString()}`
    const hostile = [
      path!,
      `${path}?${other.split('?')[1]}`,
      altered({ until: String(Number(proof.get('until')) + 1) }),
      altered({ until: '99999999999999999999' }),
      altered({ until: '' }),
      altered({ proof: '' }),
      altered({ proof: `A${proof.get('proof')?.slice(1)}B` }),
      altered({ proof: 'é' }),
      `${path}?${query}&until=1`,
      fileAddress({ ...t.context, settings: { ...t.context.settings, secret: 'of another site, forty characters long..' } }, key),
    ]
    for (const url of hostile) expect([url, (await get(url)).status]).toEqual([url, 404])
    expect((await get(`${path}?${query}`)).status).toBe(200)
  })

  it('is refused once the time of its address is over', async () => {
    const url = fileAddress(t.context, await aDocument())
    const began = t.clock.now()
    t.clock.advance(59 * 60_000)
    expect((await get(url)).status).toBe(200)
    t.clock.advance(17 * 60_000)
    expect((await get(url)).status).toBe(403)
    t.clock.advance(began - t.clock.now())
  })

  it('is not there any more once it is dropped, even before its bytes are gone', async () => {
    const scope = await scopeOf()
    const key = await keep('message_picture', await plain('png', 400, 400), { scope })
    const url = fileAddress(t.context, key, 320)
    expect(url).toBe(pictureOfSize(fileAddress(t.context, key), 320))
    expect((await get(url)).status).toBe(200)
    await inTransaction(t.db, (transaction) => dropFile(transaction, scope, key))
    expect(stored().filter((name) => name.includes(key.slice(8, 40)))).toHaveLength(2)
    expect((await get(url)).status).toBe(404)
    await removeDropped(t.context)
    expect(stored().filter((name) => name.includes(key.slice(8, 40)))).toHaveLength(0)
  })
})

describe('a file nobody needs', () => {
  const left = async (key: string): Promise<unknown> => ({
    row: (await sql<{ state: string }>`select state from files where key = ${key}`.execute(t.db)).rows[0]?.state ?? null,
    files: stored().filter((name) => name.includes(/[0-9a-f]{32}/.exec(key)?.[0] ?? '-')).length,
  })
  const tidy = async (): Promise<void> => t.jobs['tidy_files']?.({})

  it('because its process was killed before it was used, goes an hour later', async () => {
    const scope = await scopeOf()
    const taken = await takeFile(t.context, scope, 'profile_picture', { field: 'image', name: null, bytes: await plain('png') })
    await tidy()
    expect(await left(taken.key)).toEqual({ row: 'arriving', files: 3 })
    t.clock.advance(3_601_000)
    await tidy()
    expect(await left(taken.key)).toEqual({ row: null, files: 0 })
    // Whoever comes back now is told so; nothing names a file that is gone.
    await expect(inTransaction(t.db, (transaction) => useFile(transaction, scope, taken))).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('because its process was killed after the commit that dropped it, goes with the next tidying', async () => {
    const scope = await scopeOf()
    const key = await keep('profile_picture', await plain('png'), { scope })
    await inTransaction(t.db, (transaction) => dropFile(transaction, scope, key))
    expect(await left(key)).toEqual({ row: 'dropped', files: 3 })
    await tidy()
    expect(await left(key)).toEqual({ row: null, files: 0 })
  })

  it('stays when the transaction that dropped it did not happen, and when it is somebody else’s', async () => {
    const scope = await scopeOf()
    const key = await keep('profile_picture', await plain('png'), { scope })
    await inTransaction(t.db, async (transaction) => {
      await dropFile(transaction, scope, key)
      throw new Error('no')
    }).catch(() => {})
    await dropFile(t.db, await scopeOf(), key)
    await tidy()
    expect(await left(key)).toEqual({ row: 'used', files: 3 })
  })

  it('because its owner is gone, goes too', async () => {
    const scope = await scopeOf()
    const key = await keep('message_document', pdf(), { scope })
    await sql`delete from users where id = ${scope.userId}`.execute(t.db)
    await tidy()
    expect(await left(key)).toEqual({ row: null, files: 0 })
  })

  it('is kept in mind while the store is away', async () => {
    const scope = await scopeOf()
    const key = await keep('profile_picture', await plain('png'), { scope })
    await inTransaction(t.db, (transaction) => dropFile(transaction, scope, key))
    const away = await openFileStore({ ...t.context.settings, filesUrl: s3.url.replace('S3RVER:', 'NOBODY:') })
    expect(await removeDropped({ ...t.context, files: away })).toBe(0)
    away.close()
    expect(await left(key)).toEqual({ row: 'dropped', files: 3 })
    expect(await removeDropped(t.context)).toBe(1)
  })
})

describe('pictures of before the table', () => {
  it('stay at their address, get a row and smaller sizes in the background, and go when they are replaced', async () => {
    const user = await makeUser(t.db)
    const key = `pictures/${'ab12'.repeat(8)}.webp`
    const bytes = await sharp(await plain('png'))
      .resize(512, 512, { fit: 'cover' })
      .webp()
      .toBuffer()
    await t.context.files.put(key, bytes, 'image/webp')
    await sql`update users set image_key = ${key} where id = ${user.id}`.execute(t.db)
    expect((await get(`/files/${key}`)).bytes.equals(bytes)).toBe(true)
    await t.jobs['fill_columns']?.({})
    await t.jobs['tidy_files']?.({})
    expect((await sql`select state, user_id, variants from files where key = ${key}`.execute(t.db)).rows).toMatchObject([
      { state: 'used', user_id: user.id, variants: [{ size: 320 }, { size: 96 }] },
    ])
    expect((await sharp((await get(fileAddress(t.context, key, 96))).bytes).metadata()).width).toBe(96)
    expect((await get(`/files/${key}`)).bytes.equals(bytes)).toBe(true)
  })

  it('that are lost are not looked for again and again', async () => {
    const user = await makeUser(t.db)
    const key = `pictures/${'cd34'.repeat(8)}.webp`
    await sql`insert into files (key, user_id, purpose, kind, media_type, width, height, private, state)
      values (${key}, ${user.id}, 'profile_picture', 'image', 'image/webp', 512, 512, false, 'used')`.execute(t.db)
    await t.jobs['tidy_files']?.({})
    expect((await sql`select variants from files where key = ${key}`.execute(t.db)).rows).toEqual([{ variants: [] }])
  })
})

describe.each(['a disk they share', 'S3'])('two processes with %s', (where) => {
  it('serve what the other has taken', async () => {
    const one = await openTestApp(where === 'S3' ? { settings: { FILES_URL: s3.url } } : {})
    const files = await openFileStore(one.context.settings)
    const other = await buildApp({ ...one.context, files })
    try {
      const picture = fileAddress(one.context, await keep('institute_picture', await plain('png', 700, 400), { app: one }), 320)
      const document = fileAddress(one.context, await keep('message_document', pdf(), { app: one }))
      for (const url of [picture, document]) {
        const [here, there] = await Promise.all([one.app, other.app].map((app) => app.inject({ method: 'GET', url })))
        expect([url, here?.statusCode, there?.statusCode]).toEqual([url, 200, 200])
        expect(there?.rawPayload.equals(here!.rawPayload)).toBe(true)
        const part = await other.app.inject({ method: 'GET', url, headers: { range: 'bytes=2-5' } })
        expect([part.statusCode, part.rawPayload.equals(here!.rawPayload.subarray(2, 6))]).toEqual([206, true])
        expect((await other.app.inject({ method: 'HEAD', url })).headers['etag']).toBe(here?.headers['etag'])
      }
      if (where === 'S3') {
        expect(existsSync(join(one.context.settings.dataDir, 'files'))).toBe(false)
        expect(await buffer((await files.get(picture.slice('/files/'.length)))!.body)).toHaveProperty('length')
      }
    } finally {
      await other.app.close()
      files.close()
      await one.close()
    }
  })
})
