import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdRetries } from '#/testing/held-retries.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { inTransaction } from './database.ts'
import { addJob, addJobs, drainJobs, type Jobs } from './jobs.ts'

let t: TestApp
let done: unknown[]
beforeAll(async () => {
  t = await openTestApp()
  await holdRetries(t.ownerPool)
})
afterAll(() => t.close())
beforeEach(() => {
  done = []
})

const jobs: Jobs = {
  note: async (payload) => void done.push(payload),
  fail: async (payload) => {
    done.push(payload)
    throw new Error('not today')
  },
}
const drain = (): Promise<void> => drainJobs(t.context.database, jobs, t.context.log)

describe('a job', () => {
  it('runs after the commit of its fact, and not at all without one', async () => {
    await inTransaction(t.db, (transaction) => addJob(transaction, 'note', { of: 'a fact' }))
    await inTransaction(t.db, async (transaction) => {
      await addJob(transaction, 'note', { of: 'nothing' })
      throw new Error('taken back')
    }).catch(() => {})
    await drain()
    expect(done).toEqual([{ of: 'a fact' }])
    await drain()
    expect(done).toHaveLength(1)
  })

  it('of the same key waits once, with the latest news', async () => {
    for (const version of [1, 2, 3]) await addJob(t.db, 'note', { version }, { key: 'same' })
    await drain()
    expect(done).toEqual([{ version: 3 }])
  })

  it('for later is left for later', async () => {
    await addJob(t.db, 'note', { when: 'later' }, { runAt: new Date(Date.now() + 3_600_000) })
    await drain()
    expect(done).toEqual([])
  })

  it('that fails is kept for another try and holds up no other', async () => {
    await addJob(t.db, 'fail', { n: 1 })
    await addJob(t.db, 'note', { n: 2 })
    await drain()
    expect(done).toEqual(expect.arrayContaining([{ n: 1 }, { n: 2 }]))
    await drain()
    expect(done).toHaveLength(2)
  })

  it('of a queue is done after the one before, also when its end is slow to be written', async () => {
    await t.ownerPool.query(`
      create function slow_end() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
      create trigger slow_end before update on graphile_worker._private_job_queues for each row
        when (old.locked_at is not null and new.locked_at is null) execute function slow_end()`)
    const jobs = [21, 22, 23, 24].map((n) => ({ name: 'note', payload: { n }, key: `note ${n}`, queue: 'notes' }))
    await addJobs(t.db, jobs)
    await drain()
    expect(done).toEqual(jobs.map(({ payload }) => payload))
  })
})
