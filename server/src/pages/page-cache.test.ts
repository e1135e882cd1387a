/** Pages that are kept: how old they may be, and when they are made anew. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReadAnswer } from './page-answers.ts'
import { openPageCache, type Page, type PageCache } from './page-cache.ts'
import { compressedBody } from './page-compression.ts'

let time = 0
let truth: unknown
let renderings = 0
let readings = 0
let cache: PageCache

beforeEach(() => {
  time = 0
  truth = 'free at 9:00'
  renderings = 0
  readings = 0
  cache = openPageCache({ freshForMs: 5000, reusedForMs: 30_000, size: 3, now: () => time })
})

const read: ReadAnswer = async (name) => {
  readings++
  if (truth === 'away') throw new Error(`${name} is away`)
  return { json: String(truth), digest: String(truth), readAt: time }
}
const render = async (reader: ReadAnswer, status = 200): Promise<Page> => {
  renderings++
  const body = Buffer.from((await reader('nextTimes', { params: { id: 'x' } })).json)
  return { status, headers: [], body, compressed: compressedBody(body) }
}
const textAt = async (at: number, key = 'en /salon/x'): Promise<string> => {
  time = at
  return (await cache.page(key, read, render)).body.toString()
}

describe('a kept page', () => {
  it('is served without looking while it is fresh', async () => {
    await textAt(0)
    truth = 'free at 10:00'
    expect(await textAt(4999)).toContain('9:00')
    expect([renderings, readings]).toEqual([1, 1])
  })

  it('reads again what it was made from, and is not rendered again when that is the same', async () => {
    await textAt(0)
    expect(await textAt(5000)).toContain('9:00')
    expect(await textAt(9999)).toContain('9:00')
    expect([renderings, readings]).toEqual([1, 2])
  })

  it('is rendered again when what it was made from has changed', async () => {
    await textAt(0)
    truth = 'free at 10:00'
    expect(await textAt(5000)).toContain('10:00')
    expect(renderings).toBe(2)
  })

  it('never shows what was changed longer ago than it may be old, however often it was reused', async () => {
    for (let at = 0; at < 20_000; at += 2500) await textAt(at)
    truth = 'full'
    expect(await textAt(22_500)).toContain('full')
  })

  it('made from an answer that was there already is as old as that answer', async () => {
    const before: ReadAnswer = async (name, input) => ({ ...(await read(name, input)), readAt: time - 3000 })
    time = 10_000
    await cache.page('k', before, render)
    truth = 'full'
    time = 11_999
    expect((await cache.page('k', read, render)).body.toString()).toBe('free at 9:00')
    time = 12_000
    expect((await cache.page('k', read, render)).body.toString()).toBe('full')
  })

  it('that was reused for an answer that was there already is as old as that answer', async () => {
    await textAt(0)
    const before: ReadAnswer = async (name, input) => ({ ...(await read(name, input)), readAt: time - 3000 })
    time = 6000
    await cache.page('en /salon/x', before, render)
    truth = 'full'
    expect(await textAt(8000)).toBe('full')
    expect(renderings).toBe(2)
  })

  it('is rendered again after half a minute, because it knows what time it is', async () => {
    for (let at = 0; at <= 30_000; at += 5000) await textAt(at)
    expect(renderings).toBe(2)
  })

  it('is rendered once for everybody who asks meanwhile, also when it is renewed', async () => {
    for (const at of [0, 5000]) {
      time = at
      truth = at
      const pages = await Promise.all(Array.from({ length: 20 }, () => cache.page('k', read, render)))
      expect(new Set(pages).size).toBe(1)
    }
    expect(renderings).toBe(2)
  })

  it('is told apart by its key', async () => {
    await textAt(0, 'en /')
    truth = 'autre chose'
    expect(await textAt(1, 'fr /')).toContain('autre')
  })

  it('makes room: only so many are kept', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await textAt(0, key)
    await textAt(1, 'a')
    expect(renderings).toBe(5)
  })

  it('that refuses is not kept', async () => {
    const nothing = (reader: ReadAnswer): Promise<Page> => render(reader, 404)
    await cache.page('k', read, nothing)
    await cache.page('k', read, nothing)
    expect(renderings).toBe(2)
  })

  it('whose reading fails is tried again by the next who asks', async () => {
    await textAt(0)
    truth = 'away'
    await expect(textAt(5000)).rejects.toThrow('away')
    truth = 'back'
    expect(await textAt(5001)).toContain('back')
  })
})
