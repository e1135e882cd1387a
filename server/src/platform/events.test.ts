/** Followers hear of every commit, once, in order, whatever happens to writers and connections. A follower that believes in ids does not. EVENTS_SEED repeats the chances of a run. */
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Random, randomFrom } from '@soigne/demo/random'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { apartMs, followEvents, type Follower, writeEvents, type SpineEvent } from './events.ts'
import { openLog } from './log.ts'

const seed = process.env['EVENTS_SEED'] ?? '20261122'
const log = openLog('silent')

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
const following: Follower[] = []
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 4, onError: () => {} })
  await database.pool.query('create table numbers (institute uuid primary key, n int not null)')
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
beforeEach(async () => {
  await database.pool.query('truncate events')
})
afterEach(async () => {
  await Promise.all(following.splice(0).map((one) => one.stop()))
})

const instituteOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const waitFor = (look: () => void | Promise<void>): Promise<void> => vi.waitFor(look, { timeout: 90_000, interval: 10 })
const insert = `insert into events (kind, institute_id, actor, payload, at) values ('test', $1, '{"kind":"system","job":"test"}', $2, now()) returning id`

interface Heard {
  events: SpineEvent[]
  times: Map<number, number>
}
async function follow(db: OpenDatabase, page?: number): Promise<Heard> {
  const heard: Heard = { events: [], times: new Map() }
  const listener = (events: readonly SpineEvent[]): void => {
    heard.events.push(...events)
    for (const { id } of events) heard.times.set(id, performance.now())
  }
  following.push(await followEvents(db.db, log, listener, page === undefined ? {} : { page }))
  return heard
}

/** What a follower of ids would hear: everything above the last id it saw. */
function followIds(): { ids: Set<number>; last(): number; stop(): void } {
  const ids = new Set<number>()
  let last = 0
  let isStopped = false
  const look = async (): Promise<void> => {
    while (!isStopped) {
      const { rows } = await database.pool.query<{ id: number }>('select id from events where id > $1 order by id', [last])
      for (const { id } of rows) ids.add(id)
      last = rows.at(-1)?.id ?? last
      await sleep(25)
    }
  }
  const looking = look()
  return { ids, last: () => last, stop: () => void ((isStopped = true), looking.catch(() => {})) }
}

const stored = async (): Promise<{ id: number; instituteId: string; n: number }[]> =>
  (await database.pool.query(`select id, institute_id as "instituteId", (payload ->> 'n')::int as n from events order by id`)).rows

/** Numbers an institute's events without gaps, as only those can who wait for one another. */
async function writeOnce(client: pg.Client, chance: Random, committed: Map<number, number>): Promise<void> {
  const institute = instituteOf(chance.whole(5))
  const ids: number[] = []
  await client.query('begin')
  for (let events = 1 + chance.whole(3); events > 0; events--) {
    const { rows } = await client.query<{ n: number }>('update numbers set n = n + 1 where institute = $1 returning n', [institute])
    const inserted = await client.query<{ id: number }>(insert, [institute, { n: rows[0]?.n }])
    ids.push(inserted.rows[0]?.id ?? 0)
  }
  if (chance.chance(0.3)) return void (await client.query('rollback'))
  await client.query('commit')
  for (const id of ids) committed.set(id, performance.now())
}

describe('a follower', () => {
  it(`hears of all that sixteen writers commit, in order and once, though some roll back, wait, or lose their connection (seed ${seed})`, async () => {
    for (let n = 0; n < 5; n++) await database.pool.query('insert into numbers values ($1, 0)', [instituteOf(n)])
    const followers = openDatabase(`${clone.url}?application_name=followers`, { size: 4, onError: () => {} })
    const usual = await follow(followers)
    const byPages = await follow(followers, 7)
    const quiet = await follow(database)
    const naive = followIds()
    const committed = new Map<number, number>()
    let cuts = 0
    let turns = 0
    let isWriting = true

    const write = async (number: number): Promise<void> => {
      const chance = randomFrom(`${seed} ${number}`)
      let client: pg.Client | null = null
      for (let turn = 0; turn < 40; turn++) {
        try {
          if (!client) {
            client = new pg.Client({ connectionString: clone.url, application_name: 'writers' })
            client.on('error', () => {})
            await client.connect()
          }
          await writeOnce(client, chance, committed)
        } catch {
          // Cut: what became of it stands in the table.
          await client?.end().catch(() => {})
          client = null
        }
        turns++
      }
      await client?.end().catch(() => {})
    }
    const cut = async (): Promise<void> => {
      const chance = randomFrom(seed)
      // So often on every machine: by what was written, not by time.
      for (let next = 20; isWriting; await sleep(1)) {
        if (turns < next) continue
        next += 20
        const { rows } = await database.pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and application_name in ('writers', 'followers') order by pid`,
        )
        const victim = rows[chance.whole(Math.max(1, rows.length))]
        if (victim) cuts += (await database.pool.query('select pg_terminate_backend($1)', [victim.pid])).rowCount ?? 0
      }
    }
    /** Its ids are among the first, and become visible when everybody has gone past them. */
    const stayOpen = async (): Promise<number> => {
      const client = new pg.Client({ connectionString: clone.url })
      await client.connect()
      await client.query('begin')
      const { rows } = await client.query<{ id: number }>(insert, [instituteOf(9), { n: 1 }])
      await client.query('select pg_sleep(2)')
      await waitFor(() => expect(naive.last()).toBeGreaterThan(rows[0]?.id ?? 0))
      await client.query('commit')
      await client.end()
      return rows[0]?.id ?? 0
    }
    const [late, cutting] = [stayOpen(), cut()]
    await Promise.all(Array.from({ length: 16 }, (_, number) => write(number)))
    isWriting = false
    await cutting
    const lateId = await late

    const truth = await stored()
    expect(truth.length).toBeGreaterThan(400)
    expect(cuts).toBeGreaterThan(5)
    for (const heard of [usual, byPages, quiet]) {
      await waitFor(() => expect(heard.events.length).toBeGreaterThanOrEqual(truth.length))
      // All of them, and none twice.
      expect(heard.events.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(truth.map(({ id }) => id))
      for (const { instituteId } of truth) {
        const numbers = heard.events.filter((one) => one.instituteId === instituteId).map(({ payload }) => (payload as { n: number }).n)
        expect(numbers).toEqual(numbers.map((_, n) => n + 1))
      }
    }
    naive.stop()
    const missed = truth.filter(({ id }) => !naive.ids.has(id))
    expect(missed.map(({ id }) => id)).toContain(lateId)
    const waits = [...committed].map(([id, at]) => Math.max(0, (quiet.times.get(id) ?? 0) - at)).toSorted((a, b) => a - b)
    const of = (share: number): number => Math.round(waits[Math.floor(waits.length * share)] ?? 0)
    process.stdout.write(
      `${truth.length} events, ${cuts} connections cut; heard after p50 ${of(0.5)} ms, p95 ${of(0.95)} ms, p99 ${of(0.99)} ms; a follower of ids missed ${missed.length}\n`,
    )
    await followers.close()
  })

  it('hears nothing of what was before it began, and nothing twice', async () => {
    await database.pool.query(insert, [instituteOf(1), { n: 1 }])
    const heard = await follow(database)
    await database.pool.query(insert, [instituteOf(1), { n: 2 }])
    await waitFor(() => expect(heard.events).toHaveLength(1))
    await database.pool.query(insert, [instituteOf(1), { n: 3 }])
    await waitFor(() => expect(heard.events.length).toBeGreaterThan(1))
    expect(heard.events.map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 3 }])
  })

  it('goes on after a listener has failed', async () => {
    const heard: number[] = []
    following.push(
      await followEvents(database.db, log, (events) => {
        heard.push(...events.map(({ payload }) => (payload as { n: number }).n))
        if (heard.length === 1) throw new Error('not today')
      }),
    )
    for (const n of [1, 2]) {
      await database.pool.query(insert, [instituteOf(1), { n }])
      await waitFor(() => expect(heard).toHaveLength(n))
    }
    expect(heard).toEqual([1, 2])
  })

  it('that is woken again and again looks no more often than it may, and hears of everything', async () => {
    const heard: number[] = []
    const follower = await followEvents(database.db, log, (events) => void heard.push(...events.map(({ id }) => id)))
    following.push(follower)
    const made: number[] = []
    const [began, before] = [performance.now(), database.statements()]
    for (let n = 0; n < 200; n++) {
      if (n % 20 === 0) made.push((await database.pool.query<{ id: number }>(insert, [instituteOf(1), {}])).rows[0]?.id ?? 0)
      follower.wake()
      await immediate()
    }
    await waitFor(() => expect(heard).toEqual(made))
    const looks = database.statements() - before
    // A timer may come a little early.
    expect(looks).toBeLessThanOrEqual((performance.now() - began) / (apartMs - 2) + 2)
  })

  it('waits for no transaction that is still open', async () => {
    const heard = await follow(database)
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(insert, [instituteOf(1), { n: 1 }])
    await database.pool.query(insert, [instituteOf(2), { n: 2 }])
    await waitFor(() => expect(heard.events).toHaveLength(1))
    await client.query('commit')
    client.release()
    await waitFor(() => expect(heard.events.map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 1 }]))
  })
})

describe('an event', () => {
  it('is there with its fact or not at all, and never changes', async () => {
    const event = {
      kind: 'test',
      instituteId: null,
      subjectId: null,
      actor: { kind: 'system', job: 'test' },
      payload: {},
      at: new Date(0).toISOString(),
    } as const
    await database.db.transaction().execute((transaction) => writeEvents(transaction, [event]))
    await expect(
      database.db.transaction().execute(async (transaction) => {
        await writeEvents(transaction, [event, event])
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect(await stored()).toHaveLength(1)
    await expect(database.pool.query(`update events set kind = 'other'`)).rejects.toThrow('never changed')
  })
})
