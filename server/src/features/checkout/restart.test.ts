/** Killed between the payment and its word: whoever starts next asks at once what became of the pages of before. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { hold, later, readVisit, refused, visitsPath, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
/** Seconds after the page was opened. */
const after = (seconds: number): string => later(now, seconds / 60)
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())

it('day 6.5: a visit that was paid for a second ago is booked by the first run after a start; a running process leaves the word its time', async () => {
  const institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }] })
  await sql`update institutes set deposit_kind = 'fixed', deposit_amount = 1500, payment_methods = '{card}' where id = ${institute.id}`.execute(
    t.db,
  )
  const client = await makeUser(t.db)
  const { _id: holdId } = await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
  expect((await t.inject('POST', visitsPath, { token: client.token, body: { holdId } })).status).toBe(201)
  const { rows } = await sql<{ id: string }>`select id from checkouts where appointment_id = ${holdId}`.execute(t.db)
  t.payments.ends(rows[0]?.id ?? '', 'paid')
  t.clock.set(after(1))
  await t.jobs['settle_checkouts']?.({})
  expect(refused(await t.inject('GET', `${visitsPath}/${holdId}`, { token: client.token }))).toEqual([404, 'not_found'])
  const next = await openTestApp({ at: after(1), databaseUrl: t.databaseUrl, payments: t.payments })
  try {
    await next.jobs['settle_checkouts']?.({})
  } finally {
    await next.close()
  }
  expect((await readVisit(t, client, holdId)).status).toBe('deposit_paid')
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})
