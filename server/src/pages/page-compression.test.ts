/** What pages weigh on the way: what the first who asks gets, what the others get, and who takes brotli at all. */
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { compressedBody, takesBrotli } from './page-compression.ts'

const page = Buffer.from(
  Array.from(
    { length: 400 },
    (_, n) => `<li class="row"><a href="/salon/belle-${n * 7}">Belle heure ${n}, ${(n * 31) % 97} €</a></li>`,
  ).join(''),
)

describe('a compressed page', () => {
  it('says the same at the first time and ever after', async () => {
    const body = compressedBody(page)
    const first = body.bytes()
    expect(brotliDecompressSync(first).equals(page)).toBe(true)
    body.bytes()
    await vi.waitFor(() => expect(body.bytes()).not.toBe(first), { timeout: 60_000 })
    expect(brotliDecompressSync(body.bytes()).equals(page)).toBe(true)
  })

  it('is made smaller once somebody asks again, and then stays as it is', async () => {
    const body = compressedBody(page)
    const first = body.bytes()
    body.bytes()
    await vi.waitFor(() => expect(body.bytes().length).toBeLessThan(first.length), { timeout: 60_000 })
    const better = body.bytes()
    // What was asked for later is done: nothing is still to come for this one.
    const other = compressedBody(page)
    const quick = other.bytes()
    other.bytes()
    await vi.waitFor(() => expect(other.bytes()).not.toBe(quick), { timeout: 60_000 })
    expect(body.bytes()).toBe(better)
  })
})

describe('brotli', () => {
  it.each([
    ['br', true],
    ['gzip, deflate, br, zstd', true],
    ['gzip;q=1.0, BR;q=0.5', true],
    ['br;q=0, *;q=0', false],
    ['br; q=0.000', false],
    ['gzip', false],
    ['brotli', false],
    ['', false],
    [undefined, false],
  ])('for %j is %s', (header, expected) => {
    expect(takesBrotli(header)).toBe(expected)
  })
})
