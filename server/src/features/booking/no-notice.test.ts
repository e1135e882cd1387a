/** A booking notifies nobody: a NOTIFY in its transaction would take a lock of the whole database at every commit. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { bookVisit, hold, later, tryCancel, tryMove, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
const ten = wall('2026-11-24T10:00')
beforeAll(async () => {
  t = await openTestApp()
  institute = await makeInstitute(t.db)
  client = await makeUser(t.db)
})
afterAll(() => t.close())

interface Routine {
  name: string
  text: string
}
const routines = async (): Promise<Routine[]> =>
  (
    await sql<Routine>`select n.nspname || '.' || p.proname as name, pg_get_functiondef(p.oid) as text
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prokind in ('f', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
        and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`.execute(
      t.db,
    )
  ).rows
const notifies = /\bpg_notify\b|\bnotify\s+["\w]/i

/** The functions that notify, and those from which they can be reached. */
async function noisy(): Promise<Set<string>> {
  const all = await routines()
  const found = new Set(all.filter(({ text }) => notifies.test(text)).map(({ name }) => name))
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const { name, text } of all)
      if ([...found].some((one) => new RegExp(`\\b${one.split('.')[1]}\\s*\\(`, 'i').test(text))) found.add(name)
  }
  return found
}

/** What notifies in this product, and where it may. */
const channels = ['jobs:insert', 'worker:migrate', 'trial_clock']

it('has nothing in the database that notifies but the library of the jobs, and no trigger on a table of ours reaches it', async () => {
  const found = await noisy()
  expect([...found].filter((name) => !name.startsWith('graphile_worker.'))).toEqual([])
  expect([...found]).toContain('graphile_worker.add_jobs')
  const { rows } = await sql<{ table: string; calls: string }>`select c.relnamespace::regnamespace || '.' || c.relname as "table",
      n.nspname || '.' || p.proname as calls from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
      join pg_namespace n on n.oid = p.pronamespace where not g.tgisinternal`.execute(t.db)
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(({ table, calls }) => found.has(calls) && !table.startsWith('graphile_worker.'))).toEqual([])
  // Another channel would be one that the ear below does not know.
  const texts = (await routines()).filter(({ text }) => notifies.test(text)).map(({ text }) => text)
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:pg_notify\s*\(\s*|\bnotify\s+)(?:'([^']+)'|"([^"]+)")/gi)].map((m) => m[1] ?? m[2]),
  )
  expect(named.filter((one) => !channels.includes(one ?? ''))).toEqual([])
})

it('holds, books, moves and cancels without a notice on any channel, and without a job', async () => {
  const ear = new pg.Client({ connectionString: t.databaseUrl })
  await ear.connect()
  onTestFinished(() => ear.end())
  const heard: string[] = []
  ear.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload ?? ''}`.trim()))
  for (const channel of [...channels, 'probe']) await ear.query(`listen "${channel}"`)
  /** Notices come in the order of commits: with this one all before it have come. */
  const listened = async (probe: string): Promise<string[]> => {
    await t.ownerPool.query('select pg_notify($1, $2)', ['probe', probe])
    await vi.waitFor(() => expect(heard).toContain(`probe ${probe}`), { timeout: 60_000, interval: 5 })
    return heard.splice(0).filter((one) => !one.startsWith('probe'))
  }
  const sent: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockName('the statements that are sent')
  const visit = await bookVisit(t, client, institute, { startsAt: ten })
  expect((await tryMove(t, client, visit._id, later(ten, 120))).status).toBe(200)
  expect((await tryCancel(t, client, visit._id)).status).toBe(200)
  const held = await hold(t, client, institute, { startsAt: ten })
  expect((await t.inject('DELETE', `/api/v1/secure/appointments/holds/${held._id}`, { token: client.token })).status).toBe(200)
  for (const [query] of spy.mock.calls as unknown as [unknown][])
    sent.push(typeof query === 'string' ? query : ((query as { text?: string }).text ?? ''))
  spy.mockRestore()
  expect(sent.some((text) => text.includes('hold_planned_visits'))).toBe(true)
  expect(sent.some((text) => text.includes('confirm_unpaid_hold'))).toBe(true)
  expect(sent.filter((text) => notifies.test(text) || /graphile_worker|add_job/.test(text))).toEqual([])
  expect(await listened('booked')).toEqual([])
  expect((await sql`select from graphile_worker.jobs`.execute(t.db)).rows).toHaveLength(0)
  // The ear is no deaf one: what follows a booking after its commit is heard.
  await t.drainJobs()
  expect(await listened('answered')).toContainEqual(expect.stringContaining('jobs:insert'))
})
