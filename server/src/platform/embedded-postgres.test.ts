import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres, sharedBuffersMb } from './embedded-postgres.ts'

/** A directory only its owner may enter, as a home often is. */
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-closed-'))
chmodSync(dataDir, 0o700)
let first: EmbeddedPostgres

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values(((await client.query(text)).rows[0] ?? {}) as object)[0]
  } finally {
    await client.end()
  }
}

const shelter = (): string => join('/var/lib/soigne', readFileSync(join(dataDir, 'cluster-id'), 'utf8').trim())
/** In the system's temporary directory: a path to a socket has to be short. */
const socketDir = (): string => decodeURIComponent(/@([^/]+)\//.exec(first.url)?.[1] ?? '')
const dataOfCluster = (): string => [join(dataDir, 'postgres'), shelter()].find((path) => existsSync(join(path, 'data/PG_VERSION'))) ?? ''

beforeAll(async () => {
  first = await openEmbeddedPostgres(dataDir)
})
afterAll(async () => {
  const outside = shelter()
  await first.leave()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(outside, { recursive: true, force: true })
})

describe('the embedded database', () => {
  test('starts in a directory only its owner may enter, durable, and without a network address', async () => {
    expect(await ask(first.url, 'show listen_addresses')).toBe('')
    expect(await ask(first.url, 'show fsync')).toBe('on')
    expect(await ask(first.url, "select to_regtype('tstzrange') is not null")).toBe(true)
  })

  test('keeps a quarter of the memory for what it reads often, within bounds', async () => {
    const gibibyte = 1024 ** 3
    expect([0.25, 8, 16, 64].map((memory) => sharedBuffersMb(memory * gibibyte))).toEqual([128, 2048, 4096, 4096])
    const pages = Number(await ask(first.url, "select setting from pg_settings where name = 'shared_buffers'"))
    const mine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
    expect(pages * 8192).toBe(sharedBuffersMb(mine) * 1024 ** 2)
  })

  test('is joined by a second opening of the same directory', async () => {
    await ask(first.url, 'create table met (at int)')
    const second = await openEmbeddedPostgres(dataDir)
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, "select to_regclass('met') is not null")).toBe(true)
  })

  test('is opened once when many open it at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => openEmbeddedPostgres(dataDir)))
    expect(new Set(all.map(({ url }) => url)).size).toBe(1)
  })

  test('stays up for others when one leaves', async () => {
    const other = new pg.Client({ connectionString: first.url })
    other.on('error', () => {})
    await other.connect()
    await first.leave()
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await other.end()
  })

  test('ends when the last one leaves, though a connection was closed only just before', async () => {
    const other = new pg.Client({ connectionString: first.url })
    other.on('error', () => {})
    await other.connect()
    setTimeout(() => void other.end(), 150)
    expect(existsSync(socketDir())).toBe(true)
    await first.leave()
    expect(existsSync(join(dataOfCluster(), 'data/postmaster.pid'))).toBe(false)
    expect(existsSync(socketDir()), 'its folder for the socket is gone, too').toBe(false)
    await first.ensureRunning()
  })

  test('after a stop it reads what it had read before, unasked', async () => {
    await ask(first.url, 'create table often as select n from generate_series(1, 50000) n')
    await first.leave()
    await first.ensureRunning()
    const log = (): string => readFileSync(join(dataOfCluster(), 'postgres.log'), 'utf8')
    await expect.poll(log).toMatch(/autoprewarm successfully prewarmed [1-9]\d{2,} of/)
  })

  test('killed with -9 it comes back with everything it had', async () => {
    await ask(first.url, 'insert into met values (7)')
    process.kill(Number(readFileSync(join(dataOfCluster(), 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL')
    await first.ensureRunning()
    expect(await ask(first.url, 'select at from met')).toBe(7)
  })
})
