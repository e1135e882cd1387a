import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { demoTemplate, now as at } from '#/testing/search-world.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { sellDemoVouchers } from './demo-vouchers.ts'

let t: TestApp
let drop: () => Promise<void>
beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'), await demoTemplate())
  drop = () => clone.drop()
  t = await openTestApp({ at, databaseUrl: clone.url })
}, 300_000)
afterAll(async () => {
  await t.close()
  await drop()
})

it('a few institutes of the demo have a gift card and a package, and the books of all of them hold', async () => {
  await sellDemoVouchers(t.context)
  const { rows } = await sql<{ slug: string; cards: number; left: number }>`select i.slug, count(distinct g.id)::int as cards,
      (select sum(m.sessions)::int from client_package_moves m where m.institute_id = i.id) as left
    from institutes i join gift_cards g on g.institute_id = i.id group by i.id order by i.slug`.execute(t.db)
  expect(rows.length).toBeGreaterThanOrEqual(3)
  expect(rows.every(({ cards, left }) => cards === 1 && left === 4)).toBe(true)
  expect(rows.some(({ slug }) => slug === 'atelier-nacre')).toBe(true)
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})
