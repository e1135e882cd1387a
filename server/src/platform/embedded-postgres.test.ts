import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'
import { openLog } from './log.ts'
import { sharedBuffersMb } from './postgres-cluster.ts'
import { startFailure } from './start-failure.ts'

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

const postmaster = (): number => {
  const file = join(dataOfCluster(), 'data/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : 0
}

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

  test('is not begun on a disk without room for it: a person reads at once what is the matter', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'soigne-full-'))
    const error: unknown = await openEmbeddedPostgres(directory, async () => 20 * 1024 ** 2).catch((found: unknown) => found)
    expect(startFailure(error)).toMatch(
      /^The disk is full: \S+ has 20 MB left, and a first start needs 400\. Make room there, or choose a folder elsewhere: DATA_DIR=/,
    )
    expect([existsSync(join(directory, 'postgres/data')), existsSync(join(directory, 'postgres.lock'))]).toEqual([false, false])
    rmSync(directory, { recursive: true, force: true })
  })

  test('ends with the last who uses it, though that one is in the middle of something', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'soigne-broken-off-'))
    const own = await openEmbeddedPostgres(directory)
    const migrating = new pg.Client({ connectionString: own.url, application_name: `soigne-${process.pid}` })
    const ended = new Promise((done) => migrating.on('error', done))
    await migrating.connect()
    await migrating.query('begin')
    await own.leave()
    await ended
    await expect(ask(own.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
    rmSync(directory, { recursive: true, force: true })
  })

  test('is joined by a second opening of the same directory', async () => {
    await ask(first.url, 'create table met (at int)')
    const second = await openEmbeddedPostgres(dataDir)
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, "select to_regclass('met') is not null")).toBe(true)
    await second.leave()
    expect(await ask(first.url, "select to_regclass('met') is not null")).toBe(true)
  })

  test('stays up for another user that has no connection at the moment', async () => {
    const second = await openEmbeddedPostgres(dataDir)
    await first.leave()
    expect(await ask(second.url, 'select 1')).toBe(1)
    first = await openEmbeddedPostgres(dataDir)
    await second.leave()
    expect(await ask(first.url, 'select 1')).toBe(1)
  })

  test('is opened once when many open it at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => openEmbeddedPostgres(dataDir)))
    expect(new Set(all.map(({ url }) => url)).size).toBe(1)
    for (const one of all) await one.leave()
  })

  test('stays up for others when one leaves', async () => {
    const other = new pg.Client({ connectionString: first.url })
    other.on('error', () => {})
    await other.connect()
    await first.leave()
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await other.end()
    first = await openEmbeddedPostgres(dataDir)
  })

  test('ends when the last one leaves, though a connection was closed only just before', async () => {
    const other = new pg.Client({ connectionString: first.url })
    other.on('error', () => {})
    await other.connect()
    void other.end()
    expect(existsSync(socketDir())).toBe(true)
    await first.leave()
    expect(existsSync(join(dataOfCluster(), 'data/postmaster.pid'))).toBe(false)
    expect(existsSync(socketDir()), 'its folder for the socket is gone, too').toBe(false)
    first = await openEmbeddedPostgres(dataDir)
  })

  test('after a stop it reads what it had read before, unasked', async () => {
    await ask(first.url, 'create table often as select n from generate_series(1, 50000) n')
    await first.leave()
    first = await openEmbeddedPostgres(dataDir)
    const log = (): string => readFileSync(join(dataOfCluster(), 'postgres.log'), 'utf8')
    await expect.poll(log).toMatch(/autoprewarm successfully prewarmed [1-9]\d{2,} of/)
  })

  test('killed with -9 it is joined again with everything it had', async () => {
    await ask(first.url, 'insert into met values (7)')
    process.kill(postmaster(), 'SIGKILL')
    const again = await openEmbeddedPostgres(dataDir)
    expect(await ask(first.url, 'select at from met')).toBe(7)
    await again.leave()
  })
})

describe('an embedded database that is supervised', () => {
  const said: string[] = []
  const log = openLog('silent')
  log.error = (...words: unknown[]) => void said.push(String(words.at(-1)))
  const answers = (): Promise<unknown> => ask(first.url, 'select 1').catch(() => 'away')
  const isBack = () => expect.poll(answers, { timeout: 60_000, interval: 20 }).toBe(1)
  beforeAll(() => first.supervise(log))

  test('killed with -9 it is back by itself, also when what it served is in the middle of something', async () => {
    const busy = new pg.Client({ connectionString: first.url })
    busy.on('error', () => {})
    await busy.connect()
    // It looks at nothing while it reckons, and would keep the next one from starting.
    const reckoned = busy.query('select count(*) from generate_series(1, 2000000000)').catch(() => 'lost')
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    await expect.poll(postmaster, { timeout: 60_000, interval: 20 }).not.toBe(killed)
    await isBack()
    expect(await reckoned).toBe('lost')
  })

  test('killed it is back also where a full disk has left a lock without a name', async () => {
    writeFileSync(join(dataDir, 'postgres.lock'), '')
    utimesSync(join(dataDir, 'postgres.lock'), 0, 0)
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    await expect.poll(postmaster, { timeout: 60_000, interval: 20 }).not.toBe(killed)
    await isBack()
  })

  test('silent it is woken', async () => {
    const asleep = new pg.Client({ connectionString: first.url })
    asleep.on('error', () => {})
    await asleep.connect()
    const backend = Number((await asleep.query('select pg_backend_pid() as pid')).rows[0].pid)
    process.kill(backend, 'SIGSTOP')
    process.kill(postmaster(), 'SIGSTOP')
    await isBack()
    expect((await asleep.query('select 2 as two')).rows).toEqual([{ two: 2 }])
    await asleep.end()
  })

  test('stopped by somebody else it is started again', async () => {
    const stopped = postmaster()
    process.kill(stopped, 'SIGINT')
    await expect.poll(postmaster, { timeout: 60_000, interval: 20 }).not.toBe(stopped)
    await isBack()
  })

  test('while it cannot start it is tried on, nothing new is made in its place, and it is back when it can', async () => {
    const data = join(dataOfCluster(), 'data')
    const killed = postmaster()
    renameSync(data, `${data}.away`)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => said, { timeout: 60_000 }).toContain('Postgres could not be started again; it is tried on')
    expect(existsSync(data)).toBe(false)
    renameSync(`${data}.away`, data)
    await isBack()
    expect(await ask(first.url, 'select at from met')).toBe(7)
  })
})
