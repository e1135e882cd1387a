/** Totals of all time from months that are kept: equal to counting every row, whatever changes in months that are over. `TOTALS_SEED` and `TOTALS_STEPS` try longer. */
import { randomFrom } from '@soigne/demo/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresOfMonth } from '#/features/dashboard/service.ts'
import { salesOfMonth } from '#/features/sales/service.ts'
import { systemScope } from '#/platform/access.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { type Countable, keepMonths, partsOfAllTime, type Stretch } from './service.ts'

const seed = process.env['TOTALS_SEED'] ?? '1'
const steps = Number(process.env['TOTALS_STEPS'] ?? 120)
const random = randomFrom(`totals ${seed}`)
const system = systemScope('test')
const asked = '2026-10-20T12:00:00Z'
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
const visits: string[] = []
beforeAll(async () => {
  t = await openTestApp({ at: '2026-03-02T07:00:00Z' })
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Cut', active: 40, price: 4200 },
    { name: 'Colour', active: 30, idle: 40, after: 30, price: 6801 },
  ]
  // Midnight of UTC is noon there, so that days and hours are another month's at the border.
  institute = await makeInstitute(t.db, { ownerId: owner.id, timeZone: 'Pacific/Auckland', opensAt: 0, closesAt: 1440, services })
})
afterAll(() => t.close())

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })

const now = () => new Date(asked)
const whole = (): Stretch => ({
  instituteId: institute.id,
  timeZone: 'Pacific/Auckland',
  from: new Date('2026-03-01T11:00:00Z'),
  to: new Date('2026-10-21T11:00:00Z'),
  fromDay: '2026-03-02',
  toDay: '2026-10-21',
})
const keep = () => keepMonths(t.db, system, [figuresOfMonth, salesOfMonth], institute.id, now())
/** What the screens read, from what is kept as far as it is, and from every row. */
async function both<T>(of: Countable<T>, path: string, part: (body: Record<string, unknown>) => unknown) {
  const body = async () => part((await ask('GET', path)).body)
  const parts = await partsOfAllTime(t.db, system, of, whole(), now())
  t.clock.set(asked)
  const mixed = await body()
  await sql`update monthly_totals set time_zone = 'kept ' || time_zone where institute_id = ${institute.id}`.execute(t.db)
  const counted = await body()
  await sql`update monthly_totals set time_zone = substr(time_zone, 6) where institute_id = ${institute.id} and time_zone like 'kept %'`.execute(
    t.db,
  )
  return { mixed, counted, parts: parts.length }
}
const figures = () => both(figuresOfMonth, '/dashboard/figures?period=allTime', (body) => body)
const sales = () => both(salesOfMonth, '/sales?period=allTime', ({ total, totals, items }) => ({ total, totals, items }))

/** From March until the middle of September, at any hour. */
const someTime = (): number => Date.parse('2026-03-02T07:00:00Z') + random.whole(28 * 7 * 24) * 3_600_000
async function write(): Promise<string> {
  const id = visits.length === 0 ? undefined : random.pick(visits)
  const at = someTime()
  const kind =
    id === undefined ? 'book' : random.pick(['book', 'book', 'book', 'take', 'take', 'mark', 'cancel', 'back', 'by hand', 'by hand'])
  t.clock.set(new Date(at).toISOString())
  if (kind === 'book') {
    const service = random.whole(2)
    const services = [{ serviceId: institute.services[service], staffId: random.pick(institute.members) }]
    const startsAt = new Date(at + (1 + random.whole(48)) * 3_600_000).toISOString()
    const { status, body } = await ask('POST', '/appointments', { services, startsAt, customer: { firstName: 'Anna' } })
    if (status === 201) visits.push((body as unknown as { _id: string })._id)
    return `${kind} ${status}`
  }
  const path = `/appointments/${id}`
  if (kind === 'take') {
    const { total } = (await sql<{ total: number }>`select total_amount as total from appointments where id = ${id}`.execute(t.db))
      .rows[0] ?? { total: 0 }
    const payments = [{ method: random.pick(['cash', 'terminal']), amount: total + 300 }]
    const tips = [{ staffId: institute.members[0], amount: 300 }]
    return `${kind} ${(await ask('POST', `${path}/till`, { lines: [{ segment: 0 }], tips, payments })).status}`
  }
  if (kind === 'back') {
    const lines = ((await ask('GET', `/sales/${id}`)).body as { lines?: { _id: string }[] }).lines ?? []
    const body = { lines: [{ _id: lines[0]?._id, amount: 1 + random.whole(900) }], reason: 'Goodwill', method: 'cash' }
    return `${kind} ${(await ask('POST', `/sales/${id}/credit-notes`, body)).status}`
  }
  if (kind === 'mark')
    return `${kind} ${(await ask('PUT', `${path}/attendance`, { attendance: random.pick(['no_show', 'arrived', 'done', 'expected']) })).status}`
  if (kind === 'cancel') return `${kind} ${(await ask('PUT', `${path}/cancel`, {})).status}`
  const [what, statement] = random.pick(Object.entries(byHand(id ?? '')))
  await statement.execute(t.db)
  return `${what} 200`
}

/** What no screen does, and what mends data might: each in one table alone. */
const byHand = (id: string) => ({
  'other parts': sql`update segments set price_amount = price_amount + 7, service_id = ${random.pick(institute.services)} where appointment_id = ${id}`,
  'fewer parts': sql`delete from segments where appointment_id = ${id} and position > 0`,
  'more parts': sql`insert into segments select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'position', 1 + (select max(position) from segments where appointment_id = ${id})))).*
    from segments s where s.appointment_id = ${id} and s.position = 0`,
  'another day': sql`update appointments set starts_at = starts_at - interval '30 days', ends_at = ends_at - interval '30 days' where id = ${id}`,
  'one more': sql`insert into appointments select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'reference', upper(translate(left(gen_random_uuid()::text, 4) || '-' || right(gen_random_uuid()::text, 3), '01', 'xy'))))).* from appointments a where a.id = ${id}`,
  'one less': sql`delete from appointments where id = (select a.id from appointments a where a.institute_id = ${institute.id}
    and not exists (select from segments s where s.appointment_id = a.id) order by a.id limit 1)`,
  payment: sql`insert into payments (institute_id, sale_id, kind, method, amount, currency, at, day, actor)
    select s.institute_id, s.id, 'payment', 'cash', 100, s.currency, '2026-04-30T23:00:00Z', '2026-05-01', '{}' from sales s where s.institute_id = ${institute.id} order by s.id limit 1`,
  tip: sql`insert into tips (institute_id, sale_id, member_id, amount, day)
    select s.institute_id, s.id, ${institute.members[0]}, 50, '2026-05-01' from sales s where s.institute_id = ${institute.id} order by s.id limit 1`,
})

describe('totals of all time', () => {
  it('are those of every row after any course of changes in months that are over', async () => {
    const done: Record<string, number> = {}
    let fewest = Infinity
    for (let step = 0; step < steps; step++) {
      const what = await write()
      done[what] = (done[what] ?? 0) + 1
      if (step % 3 === 2) await keep()
      const [f, s] = [await figures(), await sales()]
      expect(f.mixed, `seed ${seed}, step ${step}: ${what}`).toEqual(f.counted)
      expect(s.mixed, `seed ${seed}, step ${step}: ${what}`).toEqual(s.counted)
      if (step % 3 === 2) fewest = Math.min(fewest, f.parts, s.parts)
    }
    // Every kind of change was made, and months were indeed read from what is kept.
    for (const what of [
      'book 201',
      'take 201',
      'mark 200',
      'cancel 200',
      'back 201',
      ...Object.keys(byHand('')).map((one) => `${one} 200`),
    ])
      expect(done[what] ?? 0, `${what} of ${JSON.stringify(done)}`).toBeGreaterThan(0)
    expect(fewest).toBeGreaterThan(3)
  })

  it('list what the filters list together, in the same order', async () => {
    t.clock.set(asked)
    const page = async (query: string) =>
      (await ask('GET', `/sales?period=allTime&pageSize=50&${query}`)).body as unknown as {
        items: { _id: string; at: string }[]
        total: number
      }
    const pages = await Promise.all(['pending', 'deposit_paid', 'completed', 'cancelled'].map((status) => page(`status=${status}`)))
    const every = await page('')
    expect(every.total).toBe(pages.reduce((sum, { total }) => sum + total, 0))
    const later = (a: { at: string; _id: string }, b: { at: string; _id: string }) =>
      a.at === b.at ? (a._id < b._id ? 1 : -1) : a.at < b.at ? 1 : -1
    expect(every.items).toEqual(
      pages
        .flatMap(({ items }) => items)
        .toSorted(later)
        .slice(0, 50),
    )
    expect((await page('page=2')).items).toEqual(
      pages
        .flatMap(({ items }) => items)
        .toSorted(later)
        .slice(50, 100),
    )
  })

  it('do not believe what was counted beside a change that was not committed yet', async () => {
    await keep()
    const id = (
      await sql<{
        id: string
      }>`select id from appointments where institute_id = ${institute.id} and life = 'booked' and attendance <> 'no_show' and starts_at < '2026-06-01' limit 1`.execute(
        t.db,
      )
    ).rows[0]?.id
    await t.db.transaction().execute(async (transaction) => {
      await sql`update appointments set attendance = 'no_show' where id = ${id}`.execute(transaction)
      await sql`delete from monthly_totals where institute_id = ${institute.id}`.execute(t.db)
      await keep()
    })
    const { mixed, counted, parts } = await figures()
    expect(mixed).toEqual(counted)
    expect(parts).toBeGreaterThan(1)
    expect(await keep()).toBe(2)
    expect(await keep()).toBe(0)
  })

  it('cost a booking of today nothing, and are asked for by the first page of the dashboard', async () => {
    const versions = async () =>
      (await sql`select month, version from month_versions where institute_id = ${institute.id} order by month`.execute(t.db)).rows
    const before = await versions()
    // The database compares with its own clock.
    t.clock.set('2090-01-09T08:00:00Z')
    const startsAt = '2090-01-11T03:00:00Z'
    const services = [{ serviceId: institute.services[0], staffId: institute.members[0] }]
    expect((await ask('POST', '/appointments', { services, startsAt, customer: { firstName: 'Anna' } })).status).toBe(201)
    expect(await versions()).toEqual(before)

    t.clock.set(asked)
    const wishes = async () =>
      (await sql`select key from graphile_worker.jobs where key = ${`keep_months:${institute.id}`}`.execute(t.db)).rows
    await sql`delete from monthly_totals where institute_id = ${institute.id}`.execute(t.db)
    await ask('GET', '/dashboard')
    expect(await wishes()).toHaveLength(1)
    await t.drainJobs()
    expect((await figures()).parts).toBeGreaterThan(3)
  })
})
