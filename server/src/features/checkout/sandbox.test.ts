/** The whole way over HTTP with the sandbox: booked, paid on its page, and made a visit by the word it posts. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { sandboxProvider } from '#/features/sandbox-payments/service.ts'
import { hold, readVisit, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  t.context.publicUrl = () => url
  t.context.payments = sandboxProvider(t.context)
  institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }] })
  await sql`update institutes set deposit_kind = 'fixed', deposit_amount = 1500 where id = ${institute.id}`.execute(t.db)
  client = await makeUser(t.db)
})
afterAll(() => t.close())

const press = (url: string, form: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

describe('the sandbox', () => {
  it.each([
    ['pay', 'deposit_paid'],
    ['decline', null],
  ])('%s on its page: %s', async (answer, status) => {
    const { _id: holdId } = await hold(t, client, institute, { startsAt: wall(`2026-11-24T1${status ? 0 : 2}:00`) })
    const { body } = await t.inject('POST', visitsPath, { token: client.token, body: { holdId } })
    const url = String(body['payment']?.['url'])
    expect((await fetch(url)).status).toBe(200)
    expect((await press(url, { answer, card: 'good' })).status).toBe(303)
    await vi.waitFor(
      async () => {
        await t.drainJobs()
        const { rows } = await sql<{ state: string }>`select state from checkouts where appointment_id = ${holdId}`.execute(t.db)
        expect(rows).toEqual([{ state: status ? 'paid' : 'failed' }])
      },
      { timeout: 60_000, interval: 50 },
    )
    if (status) expect((await readVisit(t, client, holdId)).status).toBe(status)
    expect((await verifyLedgers(t.db)).faults).toEqual([])
  })

  it('is the bank, too: on a page that is paid it takes the money back, and decides', async () => {
    const { _id: holdId } = await hold(t, client, institute, { startsAt: wall('2026-11-24T15:00') })
    const { body } = await t.inject('POST', visitsPath, { token: client.token, body: { holdId } })
    const url = String(body['payment']?.['url'])
    expect((await press(`${url}/bank`, { answer: 'dispute' })).status).toBe(303)
    await press(url, { answer: 'pay', card: 'good' })
    const becomes = (rows: object[]) =>
      vi.waitFor(
        async () => {
          await t.drainJobs()
          const found = await sql`select state, amount from disputes where appointment_id = ${holdId}`.execute(t.db)
          expect(found.rows).toEqual(rows)
        },
        { timeout: 60_000, interval: 50 },
      )
    await vi.waitFor(
      async () => {
        await t.drainJobs()
        expect((await readVisit(t, client, holdId)).status).toBe('deposit_paid')
      },
      { timeout: 60_000, interval: 50 },
    )
    await becomes([])
    expect(await (await fetch(url)).text()).toContain('value="dispute"')
    expect((await press(`${url}/bank`, { answer: 'nonsense' })).status).toBe(400)
    await press(`${url}/bank`, { answer: 'dispute' })
    await becomes([{ state: 'open', amount: 1500 }])
    await press(`${url}/bank`, { answer: 'forSalon' })
    await becomes([{ state: 'won', amount: 1500 }])
    await press(`${url}/bank`, { answer: 'forClient' })
    expect(await (await fetch(url)).text()).not.toContain('<form')
    expect((await verifyLedgers(t.db)).faults).toEqual([])
  })
})
