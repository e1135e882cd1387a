/** The payouts of the demo: each the sum of its parts, and what the sandbox would say when it is asked, now and later. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { sandboxProvider } from '#/features/sandbox-payments/service.ts'
import { later } from '#/testing/booking.ts'
import { demoTemplate, now as at } from '#/testing/search-world.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

let t: TestApp
let drop: () => Promise<void>
beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'), await demoTemplate())
  drop = () => clone.drop()
  t = await openTestApp({ at, databaseUrl: clone.url })
  t.context.payments = sandboxProvider(t.context)
}, 300_000)
afterAll(async () => {
  await t.close()
  await drop()
})

const one = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> => {
  const [row] = (await query.execute(t.db)).rows
  if (!row) throw new Error('no row')
  return row
}
const net = sql`m.amount - m.provider_fee - m.site_fee - m.tax`
interface Sums {
  differing: number
  twice: number
  adrift: number
}
/** Payouts that are not the sum of their parts, money that is in two, and institutes whose payouts and what waits are not what moved. */
const sums = (): Promise<Sums> =>
  one<Sums>(sql`select
    (select count(*)::int from (select p.id from payouts p left join payout_moves m on m.payout_id = p.id group by p.id having p.amount is distinct from sum(${net})) d) as differing,
    (select count(*)::int from (select from payout_moves m group by m.institute_id, m.reference having count(*) > 1) w) as twice,
    (select count(*)::int from (select i.id, coalesce((select sum(p.amount) from sandbox_pages p where p.institute = i.id::text and p.state = 'paid'), 0)
          - coalesce((select sum(b.amount) from sandbox_refunds b join sandbox_pages p on p.id = b.page_id where p.institute = i.id::text), 0)
          - coalesce((select sum(round(p.amount * case p.method when 'card' then 0.015 when 'paypal' then 0.029 else 0.039 end)) from sandbox_pages p where p.institute = i.id::text and p.state = 'paid'), 0) as moved,
        coalesce((select sum(p.amount) from payouts p where p.institute_id = i.id), 0)
          + coalesce((select sum((w ->> 'amount')::int) from payout_reads r cross join lateral jsonb_array_elements(r.waiting) w where r.institute_id = i.id), 0) as told
      from institutes i) s where s.moved <> s.told) as adrift`)
const kept = (): Promise<{ payouts: string; parts: string }> =>
  one<{ payouts: string; parts: string }>(sql`select
    (select md5(string_agg(to_jsonb(p)::text, ';' order by p.id)) from payouts p) as payouts,
    (select md5(string_agg(to_jsonb(m)::text, ';' order by m.payout_id, m.reference)) from payout_moves m) as parts`)
/** Every institute is asked about, as if nobody had lately. */
async function readAgain(): Promise<void> {
  await sql`update payout_reads set tried_at = 'epoch'`.execute(t.db)
  await t.jobs['read_payouts']?.({})
}

describe('payouts of the demo', () => {
  it('[G] are of every institute, to the cent, with payments in three ways, refunds, and a deposit that stayed', async () => {
    const found = await one<Record<string, number>>(sql`select (select count(distinct institute_id)::int from payouts) as institutes,
      (select count(*)::int from institutes) as of, (select count(*)::int from payouts where institute_id = (select id from institutes where slug = 'atelier-nacre')) as nacre,
      (select count(distinct payment_method)::int from checkouts) as methods, (select count(*)::int from payout_moves where kind = 'refund') as refunds,
      (select count(*)::int from payout_moves where checkout_id is null) as foreigners, (select count(*)::int from kept_deposits) as kept,
      (select min(n)::int from (select count(*) as n from sales group by institute_id) s) as sales`)
    expect(found).toMatchObject({ institutes: found['of'], methods: 3, foreigners: 0 })
    expect(found['nacre']).toBeGreaterThan(20)
    expect(found['refunds']).toBeGreaterThan(50)
    expect(found['kept']).toBeGreaterThan(0)
    expect(found['sales']).toBeGreaterThanOrEqual(40)
    expect(await sums()).toEqual({ differing: 0, twice: 0, adrift: 0 })
  })

  it('are what the sandbox says when it is asked: nothing changes', async () => {
    const before = await kept()
    await readAgain()
    expect(await kept()).toEqual(before)
    expect(await sums()).toEqual({ differing: 0, twice: 0, adrift: 0 })
  })

  it('the night finds nothing else at the provider, and the books hold', async () => {
    t.clock.set(`${later(at, 1440).slice(0, 10)}T04:00:00Z`)
    await t.jobs['reconcile_payments']?.({})
    const { rows } = await sql`select differences, failed, payments > 20 as some from reconciliations`.execute(t.db)
    expect(rows).toEqual([{ differences: 0, failed: null, some: true }])
    expect((await verifyLedgers(t.db)).faults).toEqual([])
  })

  it('go on from there: the next days are in new ones, and nothing is in two', async () => {
    const count = () => one<{ payouts: number }>(sql`select count(*)::int as payouts from payouts`)
    const before = await count()
    t.clock.set(later(at, 3 * 1440))
    await readAgain()
    expect((await count()).payouts).toBeGreaterThan(before.payouts)
    expect(await sums()).toEqual({ differing: 0, twice: 0, adrift: 0 })
    const waiting = await one<{ many: number }>(sql`select count(*)::int as many from payout_reads where waiting <> '[]'`)
    expect(waiting.many).toBeLessThan(before.payouts)
  })
})
