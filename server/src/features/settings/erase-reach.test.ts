/** How far the end of an account reaches: other devices and the calendar's address end with it, and what was invoiced stays as it was issued. */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { openBudgets } from '#/platform/budgets.ts'
import type { Follower } from '#/platform/events.ts'
import type { Sockets } from '#/platform/live.ts'
import { afterCommit, startSpine } from '#/platform/reactions.ts'
import { openSockets } from '#/sockets.ts'
import { bookVisit, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const password = 'quiet morning tea'
const secure = '/api/v1/secure'

let t: TestApp
let sockets: Sockets
let spine: Follower
let url = ''
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_REGISTRATIONS: '100', LIMIT_LOGINS: '100' } })
  sockets = openSockets(t.context, t.app.server, openBudgets({}, 1))
  spine = await startSpine(t.context, afterCommit([]), sockets.hear)
  t.context.live.onWake(() => spine.wake())
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await spine.stop()
  await sockets.close()
  await t.close()
})

/** An account, and a second device that is signed in to it. */
async function onTwoDevices(): Promise<{ email: string; token: string; second: string }> {
  const email = `${randomUUID()}@people.test`
  const names = { firstName: 'Zulmira', lastName: 'Quintanilha' }
  const body = { email, password, role: 'isClient', ...names, acceptTerms: true }
  const { token } = (await t.inject('POST', '/api/v1/client/auth/register', { body })).body as unknown as { token: string }
  await sql`update users set email_verified_at = now() where email = ${email}`.execute(t.db)
  const signedIn = await t.inject('POST', '/api/v1/client/auth/login', { body: { email, password, role: 'isClient' } })
  return { email, token, second: signedIn.body['token'] as unknown as string }
}
const erase = async (token: string): Promise<number> =>
  (await t.inject('DELETE', `${secure}/client/account`, { token, body: { password } })).status
const feedOf = async (token: string): Promise<string> =>
  new URL(String((await t.inject('POST', `${secure}/calendars/feed`, { token })).body['address'])).pathname

describe('the end of an account', () => {
  it('[R-14] shuts out the other device, its open line too, and the secret address of the calendar', async () => {
    const [{ token, second }, other] = [await onTwoDevices(), await makeUser(t.db)]
    const [feed, theirs] = [await feedOf(token), await feedOf(other.token)]
    expect((await t.inject('GET', feed)).status).toBe(200)
    const lines = [second, other.token].map((one) =>
      io(`${url}/chat`, { auth: { token: one }, transports: ['websocket'], forceNew: true, reconnection: false }),
    )
    try {
      await expect.poll(() => lines.map(({ connected }) => connected), { interval: 10 }).toEqual([true, true])
      expect(await erase(token)).toBe(200)
      await expect.poll(() => lines.map(({ connected }) => connected), { interval: 10 }).toEqual([false, true])
    } finally {
      for (const line of lines) line.disconnect()
    }
    expect((await t.inject('GET', `${secure}/client/profile/me`, { token: second })).status).toBe(401)
    expect([(await t.inject('GET', feed)).status, (await t.inject('GET', theirs)).status]).toEqual([404, 200])
  })

  it('[R-14] leaves invoices and credit notes whole: numbers, sums, names and seals', async () => {
    const { token } = await onTwoDevices()
    const owner = await makeUser(t.db, { role: 'isPro' })
    const services = [{ name: 'Gel manicure', active: 40, price: 3800 }]
    const institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services })
    await asksFor(t, institute, 'fixed', 1500)
    const visit = await paidVisit(t, { token }, institute, { startsAt: wall('2026-11-24T10:00') })
    await asksFor(t, institute, 'none')
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2026-11-24T14:00') })
    const take = (path: string, body: object) => t.inject('POST', `${secure}/mysalon${path}`, { token: owner.token, body })
    const sale = await take(`/appointments/${visit}/till`, { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: 2300 }] })
    expect(sale.status, sale.text).toBe(201)
    const line = { _id: sale.body['lines']?.[0]?.['_id'], amount: 800 }
    const back = await take(`/sales/${visit}/credit-notes`, { lines: [line], method: 'cash', reason: 'Chipped' })
    expect(back.status, back.text).toBe(201)
    const documents = async () =>
      (
        await sql`select d.kind, d.year, d.number, d.total, d.vat, d.parties, d.hash, d.previous_hash,
            (select json_agg(row_to_json(l) order by l.position) from document_lines l where l.document_id = d.id) as lines
          from documents d where d.institute_id = ${institute.id} order by d.position`.execute(t.db)
      ).rows
    const before = await documents()
    expect(before).toMatchObject([
      { kind: 'invoice', number: 1, total: 3800, parties: { client: 'Zulmira Quintanilha' } },
      { kind: 'credit_note', number: 1, total: -800 },
    ])
    t.clock.set('2026-11-25T11:00:00Z')
    await sql`update sessions set expires_at = '2099-01-01T00:00:00Z'`.execute(t.db)
    expect(await erase(token)).toBe(200)
    await t.drainJobs()
    expect(await documents()).toEqual(before)
    await isBalanced(t)
    const report = await verifyLedgers(t.db)
    expect([report.documents, report.faults]).toEqual([2, []])
    const listed = await t.inject('GET', `${secure}/mysalon/sales?period=allTime`, { token: owner.token })
    const { items } = listed.body as unknown as { items: { _id: string }[] }
    expect(items.find(({ _id }) => _id === visit)).toMatchObject({ number: 'F-2026-0001', total: { amount: 3800 } })
    expect((await t.inject('GET', `${secure}/mysalon/sales/${visit}/invoice.pdf`, { token: owner.token })).status).toBe(200)
  })
})
