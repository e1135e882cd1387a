import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { readDemoContent } from '#/content/read-content.ts'
import { demoHost as host } from '#/testing/bare-host.ts'
import { type ChunkRequest, makeChunk } from './chunk.ts'
import { makeChunks } from './makers.ts'
import { seatsFor, type Town } from './towns.ts'

const now = Date.parse('2026-11-20T00:00:00Z')
const lyon: Town = {
  geonameId: 1,
  name: 'Lyon',
  nameAr: null,
  countryCode: 'FR',
  lat: 45.74846,
  lon: 4.84671,
  population: 522_969,
  timeZone: 'Europe/Paris',
  slug: 'lyon',
  currency: 'EUR',
  languages: ['French'],
}
const chunk = (town: Town, institutes = 2): ChunkRequest => ({ seats: seatsFor([town], institutes, 1), seedNumber: 1, now })

describe('threads that make a crowd', () => {
  it.each([1, 2])('%d of them hand over every chunk once', async (threads) => {
    let institutes = 0
    let chunks = 0
    for await (const made of makeChunks({
      chunks: [1, 2, 3, 4, 5, 6, 7].map((size) => chunk(lyon, size)).values(),
      threads,
      taken: [],
      host,
    })) {
      chunks++
      institutes += made.tables[0]?.rows ?? 0
    }
    expect(chunks).toBe(7)
    expect(institutes).toBe(28)
  })

  it('are not asked for more than a few chunks while nobody takes any', async () => {
    let asked = 0
    function* endless(): Generator<ChunkRequest> {
      for (;;) {
        asked++
        yield chunk(lyon, 1)
      }
    }
    const chunks = makeChunks({ chunks: endless(), threads: 2, taken: [], host })
    await chunks.next()
    // One is taken, two wait for each thread, and the last of them was under way when there were enough.
    const most = 1 + 2 * 2 + 1
    await vi.waitFor(() => expect(asked).toBe(most), { timeout: 60_000, interval: 5 })
    // As much work as each thread could do another few in.
    const sources = { content: readDemoContent(), host, taken: new Set<string>() }
    for (let n = 0; n < 5; n++) {
      makeChunk(chunk(lyon, 1), sources)
      await setImmediate()
    }
    expect(asked).toBe(most)
    await chunks.return(undefined)
  })

  it('end with the fault of one of them', async () => {
    const nowhere = { ...lyon, lat: Number.NaN }
    const chunks = makeChunks({ chunks: [chunk(lyon), chunk(nowhere)].values(), threads: 1, taken: [], host })
    await expect(Array.fromAsync(chunks)).rejects.toThrow()
  })

  it('are not needed for nothing', async () => {
    expect(await Array.fromAsync(makeChunks({ chunks: [].values(), threads: 0, taken: [], host }))).toEqual([])
  })
})
