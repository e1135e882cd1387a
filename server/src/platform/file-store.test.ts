import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Server, type S3Server } from '#/testing/s3-server.ts'
import { type FileStore, typeOfKey } from './file-store.ts'
import { openFileStore } from './open-file-store.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'soigne-files-'))
let s3: S3Server
beforeAll(async () => {
  s3 = await openS3Server()
})
afterAll(async () => {
  await s3.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const webp = 'image/webp'
const bytesOf = (text: string): Buffer => Buffer.from(text)

async function textOf(store: FileStore, key: string, range?: { from: number; to: number }): Promise<string | null> {
  const found = await store.get(key, range)
  return found && (await buffer(found.body)).toString()
}

describe.each(['disk', 's3'] as const)('files on %s', (kind) => {
  const open = (): Promise<FileStore> => openFileStore({ dataDir, filesUrl: kind === 's3' ? s3.url : null })
  let store: FileStore
  /** A second process looks at the same files. */
  let other: FileStore
  beforeAll(async () => {
    store = await open()
    other = await open()
  })
  afterAll(() => {
    store.close()
    other.close()
  })

  it('are read as they were put, also by another process, with type, length and etag', async () => {
    await store.put('pictures/one.webp', bytesOf('a picture'), webp)
    const found = await other.get('pictures/one.webp')
    expect(found).toMatchObject({ type: webp, bytes: 9, etag: expect.stringMatching(/^"[^"]+"$/) })
    expect((await buffer(found!.body)).toString()).toBe('a picture')
    expect(await other.stat('pictures/one.webp')).toEqual({ type: webp, bytes: 9, etag: found!.etag })
    expect(await store.stat('pictures/one.webp')).toEqual({ type: webp, bytes: 9, etag: found!.etag })
  })

  it('are read in part, with the facts of the whole', async () => {
    await store.put('documents/part.pdf', bytesOf('0123456789'), 'application/pdf')
    expect(await textOf(store, 'documents/part.pdf', { from: 0, to: 1 })).toBe('01')
    expect(await textOf(store, 'documents/part.pdf', { from: 3, to: 6 })).toBe('3456')
    expect(await textOf(store, 'documents/part.pdf', { from: 8, to: 9 })).toBe('89')
    const part = await store.get('documents/part.pdf', { from: 2, to: 3 })
    expect(part).toMatchObject({ bytes: 10, type: 'application/pdf' })
    part?.body.destroy()
  })

  it('change their etag when they are overwritten', async () => {
    await store.put('pictures/again.webp', bytesOf('before'), webp)
    const before = await store.stat('pictures/again.webp')
    await store.put('pictures/again.webp', bytesOf('after!'), webp)
    expect(await textOf(other, 'pictures/again.webp')).toBe('after!')
    expect((await other.stat('pictures/again.webp'))?.etag).not.toBe(before?.etag)
  })

  it('of no bytes and of several megabytes come back whole', async () => {
    await store.put('pictures/empty.webp', new Uint8Array(0), webp)
    expect(await textOf(store, 'pictures/empty.webp')).toBe('')
    const large = Buffer.alloc(6_000_001, 'soigne')
    await store.put('pictures/large.webp', large, webp)
    expect((await buffer((await store.get('pictures/large.webp'))!.body)).equals(large)).toBe(true)
  })

  it('are gone after their removal, which may be asked for twice', async () => {
    await store.put('pictures/gone.webp', bytesOf('x'), webp)
    await other.remove('pictures/gone.webp')
    await other.remove('pictures/gone.webp')
    expect(await store.get('pictures/gone.webp')).toBeNull()
    expect(await store.stat('pictures/gone.webp')).toBeNull()
  })

  it.each([
    '../secret.webp',
    'pictures/../../secret.webp',
    '/etc/passwd',
    'pictures/%2e%2e/secret.webp',
    'pictures/a\0.webp',
    'pictures/.incoming.webp',
    'pictures\\..\\secret.webp',
    'pictures/one',
    'pictures/one.toString',
    'pictures',
    '',
  ])('have no key %j', async (key) => {
    await expect(store.put(key, bytesOf('x'), webp)).rejects.toThrow(TypeError)
    expect(await store.get(key)).toBeNull()
    expect(await store.stat(key)).toBeNull()
    await store.remove(key)
  })

  it('have a key that ends as their type does', async () => {
    await expect(store.put('pictures/one.pdf', bytesOf('x'), webp)).rejects.toThrow(TypeError)
    expect(typeOfKey('documents/a/b.pdf')).toBe('application/pdf')
  })

  it('have no key that is the folder of others', async () => {
    await store.put('pictures/deep/one.webp', bytesOf('x'), webp)
    expect(await store.get('pictures/deep.webp')).toBeNull()
  })
})

it('a folder in the place of a file is no file', async () => {
  mkdirSync(join(dataDir, 'files/pictures/folder.webp'), { recursive: true })
  const store = await openFileStore({ dataDir, filesUrl: null })
  expect(await store.stat('pictures/folder.webp')).toBeNull()
  expect(await store.get('pictures/folder.webp')).toBeNull()
})

it('files on disk are never read half written, however often they are replaced', async () => {
  const store = await openFileStore({ dataDir, filesUrl: null })
  const contents = ['a', 'b'].map((letter) => letter.repeat(400_000))
  await store.put('pictures/race.webp', bytesOf(contents[0]!), webp)
  const writing = (async () => {
    for (let turn = 1; turn <= 8; turn++) await store.put('pictures/race.webp', bytesOf(contents[turn % 2]!), webp)
  })()
  const seen = new Set<string | null>()
  for (let turn = 0; turn < 20; turn++) seen.add(await textOf(store, 'pictures/race.webp'))
  await writing
  expect([...seen].every((text) => contents.includes(text ?? ''))).toBe(true)
})

it('what a killed process left half written on the disk is cleared away after an hour', async () => {
  const incoming = join(dataDir, 'files/.incoming')
  for (const [name, age] of [
    ['old', 3601],
    ['young', 60],
  ] as const) {
    writeFileSync(join(incoming, name), 'half')
    const begun = Date.now() / 1000 - age
    utimesSync(join(incoming, name), begun, begun)
  }
  await openFileStore({ dataDir, filesUrl: null })
  expect(readdirSync(incoming)).toEqual(['young'])
})

it('S3 that is away is a part that is away; S3 that refuses the key is a mistake of ours', async () => {
  const wrongKey = await openFileStore({ dataDir, filesUrl: s3.url.replace('S3RVER:', 'SOMEBODY:') })
  await expect(wrongKey.put('pictures/a.webp', bytesOf('x'), webp)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  wrongKey.close()
  // The port of a service that throws everything away; no test gets it by chance.
  const away = await openFileStore({ dataDir, filesUrl: 'http://a:b@127.0.0.1:9/salon' })
  await expect(away.stat('pictures/a.webp')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  away.close()
})
