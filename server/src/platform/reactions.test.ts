/** What follows an event happens once for each reaction, in the order of what happened to its subject, however often it is tried. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { holdRetries } from '#/testing/held-retries.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { type NewEvent, writeEvents } from './events.ts'
import { drainJobs } from './jobs.ts'
import { openLog } from './log.ts'
import { type AfterCommit, dispatchEvents, reactionJobs, startSpine, watchRush } from './reactions.ts'

const log = openLog('silent')
let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 8, onError: () => {} })
  await holdRetries(database.pool)
  await database.pool.query('create table effects (n bigint generated always as identity, reaction text not null, event bigint not null)')
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

interface Context {
  database: Pick<OpenDatabase, 'db' | 'prepared'>
  clock: { now(): number }
}
/** Which tries of which events fail, by reaction; counted down. */
let failures: Map<string, number>
beforeEach(async () => {
  failures = new Map()
  await database.pool.query('truncate events, reactions_done, effects; delete from graphile_worker._private_jobs')
})

const noting = (name: string, kinds: string[]): AfterCommit<Context> => ({
  name,
  kinds,
  async react(_context, transaction, event) {
    await sql`insert into effects (reaction, event) values (${name}, ${event.id})`.execute(transaction)
    const left = failures.get(`${name} ${event.id}`) ?? 0
    if (left === 0) return
    failures.set(`${name} ${event.id}`, left - 1)
    throw new Error('not today')
  },
})
const reactions = [noting('letters', ['booked', 'moved']), noting('points', ['booked'])]
const jobs = (of: AfterCommit<Context>[] = reactions) => reactionJobs<Context>({ database, clock: Date }, of)

const visit = '00000000-0000-7000-8000-00000000000a'
async function happen(kinds: string[], subjectId: string | null = visit): Promise<number[]> {
  const at = new Date().toISOString()
  const event = (kind: string): NewEvent => ({
    kind,
    instituteId: null,
    subjectId,
    actor: { kind: 'system', job: 'test' },
    payload: {},
    at,
  })
  await writeEvents(database.db, kinds.map(event))
  const { rows } = await database.pool.query<{ id: number }>('select id from events order by id')
  return rows.map(({ id }) => id)
}
const dispatch = (of: AfterCommit<Context>[] = reactions): Promise<boolean> => dispatchEvents(database.db, of)
/** The runner says that it is done before it has let go of its last jobs, and who is held is not rescheduled. */
const allLetGo = (): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await database.pool.query('select from graphile_worker.jobs where locked_at is not null')
      if (rows.length > 0) throw new Error('a job is still held')
    },
    { timeout: 60_000, interval: 5 },
  )

async function drain(): Promise<void> {
  await drainJobs(database, jobs(), log)
  await allLetGo()
}
const effects = async (reaction: string): Promise<number[]> =>
  (await database.pool.query<{ event: number }>('select event from effects where reaction = $1 order by n', [reaction])).rows.map(
    ({ event }) => event,
  )
/** The events that jobs of a reaction are for, as they come. */
async function waitingFor(reaction: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `select key from graphile_worker.jobs where starts_with(key, $1) order by priority, run_at, id`,
    [`react:${reaction}:`],
  )
  return rows.flatMap(({ key }) => (key.split(':')[2] ?? '').split(',').map(Number))
}
/** Tries again at once what waits for its next try. */
async function again(): Promise<void> {
  await database.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now() - interval '1 minute')`,
  )
  await drain()
}

describe('reactions', () => {
  it('answer each event of their kinds once, however often events are dispatched', async () => {
    const [booked = 0, moved = 0] = await happen(['booked', 'moved', 'read'])
    for (let turn = 0; turn < 3; turn++) {
      await dispatch()
      await drain()
    }
    expect(await effects('letters')).toEqual([booked, moved])
    expect(await effects('points')).toEqual([booked])
  })

  it('that throw twice and then go well have one effect', async () => {
    const [booked = 0] = await happen(['booked'])
    failures.set(`letters ${booked}`, 2)
    await dispatch()
    await drain()
    expect([await effects('letters'), await effects('points')]).toEqual([[], [booked]])
    await again()
    expect(await effects('letters')).toEqual([])
    await again()
    await again()
    expect(await effects('letters')).toEqual([booked])
    expect(failures.get(`letters ${booked}`)).toBe(0)
  })

  it('answer what happened to one visit in its order, also when the first answer failed', async () => {
    const [booked = 0] = await happen(['booked'])
    failures.set(`letters ${booked}`, 1)
    await dispatch()
    await drain()
    const [, moved = 0, later = 0] = await happen(['moved', 'moved'])
    await dispatch()
    await drain()
    expect(await effects('letters')).toEqual([booked, moved, later])
    await again()
    expect(await effects('letters')).toHaveLength(3)
  })

  it('do not wait for an answer that was given up', async () => {
    const [booked = 0] = await happen(['booked'])
    failures.set(`letters ${booked}`, Infinity)
    await dispatch()
    for (let attempt = 0; attempt < 12; attempt++) await again()
    const [, moved = 0] = await happen(['moved'])
    await dispatch()
    await drain()
    expect(await effects('letters')).toEqual([moved])
  })

  it('of one job are answered together, and one by one where one of them fails: it holds up no other', async () => {
    const visits = Array.from({ length: 8 }, (_, n) => `00000000-0000-7000-8000-0000000000${n + 10}`)
    let ids: number[] = []
    for (const one of visits) ids = await happen(['booked'], one)
    const [poisoned = 0] = ids
    // Together, and for itself.
    failures.set(`letters ${poisoned}`, 2)
    await dispatch()
    expect((await database.pool.query(`select from graphile_worker.jobs where key like 'react:letters:%'`)).rows.length).toBeLessThan(8)
    await drain()
    expect((await effects('letters')).toSorted((a, b) => a - b)).toEqual(ids.slice(1))
    // Booked again: the answer to the first is still to come, and comes before.
    const later = (await happen(['moved'], visits[0])).at(-1) ?? 0
    const other = (await happen(['moved'], visits[1])).at(-1) ?? 0
    await dispatch()
    await drain()
    const answered = await effects('letters')
    expect(answered.indexOf(poisoned)).toBeLessThan(answered.indexOf(later))
    expect(answered.toSorted((a, b) => a - b)).toEqual([...ids, later, other])
    await again()
    expect(await effects('letters')).toHaveLength(10)
  })

  it('made in one batch of many pages keep their order', async () => {
    const ids = await happen(Array.from({ length: 2300 }, () => 'booked'))
    await dispatch()
    expect(await waitingFor('letters')).toEqual(ids)
    expect(new Set((await database.pool.query('select queue_name from graphile_worker.jobs')).rows.map((row) => row.queue_name)).size).toBe(
      1,
    )
  })

  it('are dispatched once by eight who try at the same moment', async () => {
    const ids = await happen(
      Array.from({ length: 300 }, () => 'booked'),
      null,
    )
    expect(await Promise.all(Array.from({ length: 8 }, () => dispatch()))).toContain(true)
    expect((await waitingFor('points')).toSorted((a, b) => a - b)).toEqual(ids)
  })

  it('are not dispatched for a transaction that is still open, and are once it has ended', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into events (kind, subject_id, actor, at) values ('booked', $1, '{"kind":"system","job":"test"}', now())`, [
      visit,
    ])
    await happen(['moved'])
    await dispatch()
    await drain()
    expect(await effects('letters')).toHaveLength(1)
    await client.query('commit')
    client.release()
    await dispatch()
    await drain()
    expect(await effects('letters')).toHaveLength(2)
  })

  it('that nobody knows any more fail loudly and stay to be looked at', async () => {
    await happen(['booked'])
    await dispatch([noting('forgotten', ['booked'])])
    await drain()
    const { rows } = await database.pool.query<{ last_error: string }>('select last_error from graphile_worker.jobs')
    expect(rows.map((row) => row.last_error)).toEqual([expect.stringContaining('no reaction is called forgotten')])
  })
})

describe('a rush', () => {
  it('lets what follows wait until fewer events come, and the first of a quiet hour not at all', () => {
    const rush = watchRush()
    rush.hear(1)
    expect(rush.goesOn()).toBe(false)
    rush.hear(30)
    rush.hear(30)
    expect(rush.goesOn()).toBe(true)
    rush.hear(60)
    expect(rush.goesOn()).toBe(true)
    rush.hear(10)
    expect(rush.goesOn()).toBe(false)
  })

  it('that does not end lets what follows through every ten seconds', () => {
    const rush = watchRush()
    const asked = Array.from({ length: 63 }, () => {
      rush.hear(100)
      return rush.goesOn()
    })
    expect(asked.flatMap((waits, n) => (waits ? [] : [n]))).toEqual([20, 41, 62])
  })
})

describe('the spine', () => {
  it('dispatches what is heard, tells its listener of everything, and what another process held back', async () => {
    const heard: string[] = []
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query(`select from event_cursors for update`)
    const spine = await startSpine(
      { database, log },
      reactions as unknown as AfterCommit<{ database: OpenDatabase; log: typeof log }>[],
      (events) => heard.push(...events.map(({ kind }) => kind)),
    )
    await happen(['read', 'booked'])
    await vi.waitFor(() => expect(heard).toEqual(['read', 'booked']), { timeout: 60_000 })
    expect((await database.pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0)
    await holder.query('commit')
    holder.release()
    await vi.waitFor(async () => expect((await database.pool.query('select from graphile_worker.jobs')).rows).toHaveLength(2), {
      timeout: 60_000,
    })
    await spine.stop()
  })

  it('hears and dispatches while requests have taken every connection', async () => {
    const heard: string[] = []
    const small = openDatabase(clone.url, { size: 2, onError: () => {} })
    const spine = await startSpine(
      { database: small, log },
      reactions as unknown as AfterCommit<{ database: OpenDatabase; log: typeof log }>[],
      (events) => heard.push(...events.map(({ kind }) => kind)),
    )
    const taken = await Promise.all([small.pool.connect(), small.pool.connect()])
    await happen(['booked'])
    await vi.waitFor(() => expect(heard).toEqual(['booked']), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await waitingFor('points')).toHaveLength(1), { timeout: 60_000 })
    for (const client of taken) client.release()
    await spine.stop()
    await small.close()
  })
})
