import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashPassword } from '#/features/session/password-hash.ts'
import type { FileStore } from '#/platform/file-store.ts'
import { openFileStore } from '#/platform/open-file-store.ts'
import type { RefusalError } from '#/platform/refuse.ts'
import { readSettings } from '#/settings.ts'
import { openSharePictures, type SharePictures } from './share-pictures.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'soigne-share-'))
let files: FileStore
const open: SharePictures[] = []
const opened = (options?: { waiting?: number; patienceMs?: number }): SharePictures => {
  const one = openSharePictures({ files }, { patienceMs: 60_000, ...options })
  open.push(one)
  return one
}
beforeAll(async () => void (files = await openFileStore(readSettings({ DATA_DIR: dataDir }))))
afterAll(() => {
  for (const one of open) one.close()
  files.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const svgOf = (colour: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="315"><rect width="600" height="315" fill="${colour}"/></svg>`)
const never = (): Promise<null> => Promise.reject(new Error('was read again'))

test('a picture is drawn once: who asks next, and the next process, has it without drawing', async () => {
  const first = opened()
  const drawn = await first.of('rose', 'a', async () => svgOf('#c08081'))
  expect(await sharp(drawn ?? Buffer.alloc(0)).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(await first.of('rose', 'a', never)).toEqual(drawn)
  const put = vi.spyOn(files, 'put')
  expect(await opened().of('rose', 'a', async () => svgOf('#c08081'))).toEqual(drawn)
  expect(put).not.toHaveBeenCalled()
  // Another design is another picture.
  expect(await opened().of('rose', 'a', async () => svgOf('#336699'))).not.toEqual(drawn)
  expect(put).toHaveBeenCalledOnce()
  put.mockRestore()
})

test('those who ask for the same share one drawing; beyond a short line the rest are told to come back', async () => {
  const pictures = opened({ waiting: 3 })
  let read = 0
  const same = Array.from({ length: 10 }, () => pictures.of('one', 'a', async () => (read++, svgOf('#111111'))))
  expect(new Set((await Promise.all(same)).map((one) => one?.length)).size).toBe(1)
  expect(read).toBeLessThanOrEqual(2)

  const crowd = await Promise.allSettled(
    Array.from({ length: 16 }, (_, n) => pictures.of(`of ${n}`, `network ${n}`, async () => svgOf(`#2222${n + 10}`))),
  )
  const refused = crowd.flatMap((one) => (one.status === 'rejected' ? [one.reason as RefusalError] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(16)
  for (const { code, retryAfter } of refused) expect([code, retryAfter]).toEqual(['unavailable', 3])
  expect(await pictures.of('after', 'a', async () => svgOf('#333333'))).not.toBeNull()
})

test('who has waited long enough is told to come back, and finds it then', async () => {
  const pictures = opened({ patienceMs: 1 })
  const first = await pictures.of('slow', 'a', async () => svgOf('#555555')).catch((error: unknown) => (error as RefusalError).code)
  expect(first).toBe('unavailable')
  await expect.poll(async () => (await pictures.of('slow', 'a', never).catch(() => null))?.length).toBeGreaterThan(0)
})

test('what there is no drawing of has no picture, and what cannot be drawn is a failure of ours', async () => {
  const pictures = opened()
  expect(await pictures.of('nothing', 'a', async () => null)).toBeNull()
  await expect(pictures.of('broken', 'a', async () => Buffer.from('no drawing'))).rejects.toThrow('could not be drawn')
})

test('drawing takes no thread that hashes passwords', async () => {
  const pictures = opened({ waiting: 100 })
  const ended: string[] = []
  const drawings = Array.from({ length: 40 }, (_, n) =>
    pictures.of(`busy ${n}`, `network ${n}`, async () => svgOf(`#4444${n + 10}`)).then(() => ended.push('picture')),
  )
  await hashPassword('belle-heure-1640', 'a').then(() => ended.push('password'))
  await Promise.all(drawings)
  expect(ended.indexOf('password')).toBeLessThan(39)
})
