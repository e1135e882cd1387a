import { isUntouched, reseedDemo, seedDemo } from '@soigne/demo/showcase/seed-demo'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { demoTemplate, now as madeAt } from '#/testing/search-world.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { demoHost as host } from './demo-host.ts'

const now = Date.parse(madeAt)

let database: OpenDatabase
let drop: () => Promise<void>

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'), await demoTemplate())
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
}, 300_000)

afterAll(async () => {
  await database.close()
  await drop()
})

async function count(table: string): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) from ${sql.id(table)}`.execute(database.db)
  return found.rows[0]?.count ?? 0
}

/** What somebody leaves behind who pays in a trial: a payment on its page, a deposit that was kept, a refund and a dispute. */
async function payOnline(): Promise<void> {
  const { rows } = await sql<{ visit: string; institute: string }>`
    with visit as (select a.id, a.institute_id, a.user_id from appointments a join sales s on s.id = a.id where a.user_id is not null limit 1),
      paid as (insert into checkouts (institute_id, appointment_id, user_id, amount, currency, payment, payment_method, held_at, until, taken, begun_at, provider, reference, state, ended_at)
        select institute_id, id, user_id, 100, 'EUR', 'deposit_paid', 'card', now(), now(), '[]', now(), 'sandbox', 'r', 'paid', now() from visit
        returning id, institute_id, appointment_id)
    select appointment_id as visit, institute_id as institute from paid`.execute(database.db)
  const [{ visit, institute } = { visit: '', institute: '' }] = rows
  const checkout = sql`(select id from checkouts where appointment_id = ${visit})`
  await sql`insert into kept_deposits (institute_id, sale_id, amount, currency, at, day) values (${institute}, ${visit}, 100, 'EUR', now(), current_date)`.execute(
    database.db,
  )
  await sql`insert into refunds (institute_id, checkout_id, appointment_id, amount, currency, reason, made_at)
    values (${institute}, ${checkout}, ${visit}, 100, 'EUR', 'late_payment', now())`.execute(database.db)
  await sql`insert into disputes (institute_id, checkout_id, appointment_id, sale_id, provider, reference, amount, currency, state, opened_at)
    values (${institute}, ${checkout}, ${visit}, ${visit}, 'sandbox', 'd', 100, 'EUR', 'open', now())`.execute(database.db)
}

describe('seeding the demo', () => {
  it('has filled a database in a shape that every constraint accepts', async () => {
    expect(await count('institutes')).toBeGreaterThanOrEqual(60)
    expect(await count('appointments')).toBeGreaterThan(5000)
    const unverified = await sql<{ email: string }>`select email from users where email_verified_at is null`.execute(database.db)
    expect(unverified.rows).toEqual([{ email: 'new@soigne.test' }])
  })

  it('is for a database where nobody has been; places of open data do not count as somebody', async () => {
    const clone = await cloneTemplate(inject('databaseServer'))
    const empty = openDatabase(clone.url, { size: 2, onError: () => {} })
    await makeInstitute(empty.db, { slug: 'of-open-data', claimed: false })
    expect(await isUntouched(empty.pool)).toBe(true)
    await makeUser(empty.db)
    expect(await isUntouched(empty.pool)).toBe(false)
    await empty.close()
    await clone.drop()
  })

  it('brings eight weeks of searches of every institute, of which some found nothing, and bookings made online', async () => {
    const { rows } = await sql<{ searches: number; nothing: number; days: number; online: number; ahead: number }>`
      select count(*) as searches, count(*) filter (where found = 0) as nothing, extract(day from ${new Date(now)} - min(asked_at))::int as days,
        count(*) filter (where asked_at > ${new Date(now)}) as ahead,
        (select count(*) from appointments a where a.institute_id = s.institute_id and a.made_by = 'client') as online
      from time_searches s group by institute_id`.execute(database.db)
    expect(rows.length).toBeGreaterThanOrEqual(60)
    for (const { searches, nothing, days, online, ahead } of rows) {
      expect(searches).toBeGreaterThanOrEqual(30)
      expect(searches - nothing).toBeGreaterThan(0)
      expect(nothing).toBeGreaterThan(0)
      expect(days).toBeGreaterThanOrEqual(40)
      expect(online).toBeGreaterThan(0)
      expect(ahead).toBe(0)
    }
  })

  it('does nothing when somebody has been here before', async () => {
    expect(await seedDemo(database.pool, { host, now })).toBeNull()
  })

  it('making it again moves it to the new day, also once somebody has paid online, and leaves other people’s things alone', async () => {
    const mine = await makeInstitute(database.db, { slug: 'not-of-the-demo' })
    const me = await makeUser(database.db, { email: 'me@example.test' })
    const later = now + 9 * 24 * 3_600_000
    await payOnline()
    const counts = await reseedDemo(database.pool, { host, now: later })
    expect(await count('appointments')).toBe(counts.appointments)
    const left = await sql<{
      paid: number
      pages: number
      disputes: number
    }>`select (select count(*) from checkouts where reference = 'r') as paid,
      (select count(*) from sandbox_pages p where not exists (select from checkouts k where k.id::text = p.checkout_id and k.reference = p.reference)) as pages,
      (select count(*) from disputes) as disputes`.execute(database.db)
    expect(left.rows).toEqual([{ paid: 0, pages: 0, disputes: 0 }])
    expect((await verifyLedgers(database.db)).faults).toEqual([])
    const kept = await sql<{
      id: string
    }>`select id from institutes where slug = 'not-of-the-demo' union all select id from users where email = 'me@example.test'`.execute(
      database.db,
    )
    expect(kept.rows).toEqual([{ id: mine.id }, { id: me.id }])
    const last = await sql<{ last: string }>`select max(starts_at) as last from appointments`.execute(database.db)
    expect(Date.parse(last.rows[0]?.last ?? '')).toBeGreaterThan(later + 20 * 24 * 3_600_000)
  })
})
