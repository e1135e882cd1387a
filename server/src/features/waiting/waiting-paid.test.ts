/** What is held for who waits, where something is paid first; and what an earlier time for a visit costs. */
import { sql } from 'kysely'
import type { WaitingEntry } from '@soigne/contract/waiting'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, readVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makeUser, type MadeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
const start = '2026-11-20T11:00:00Z'
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const path = '/api/v1/secure/waiting'
const [wednesday, thursday] = [wall('2026-11-25T17:40'), wall('2026-11-26T17:40')]

/** One chair for an hour each day: whoever has it has all there is. */
const oneHour = () =>
  makeInstitute(t.db, {
    name: 'Maison Ondine',
    members: 1,
    opensAt: 1060,
    closesAt: 1120,
    services: [{ name: 'Gel manicure', active: 60, price: 5200 }],
  })
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await t.jobs['offer_waiting']?.({})
  await t.drainJobs()
}
async function join(user: MadeUser, institute: MadeInstitute, more: object = {}): Promise<WaitingEntry> {
  const body = { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], fromDay: '2026-11-25', toDay: '2026-11-25' }
  const joined = await t.inject('POST', path, { token: user.token, body: { ...body, ...more } })
  expect(joined.status, joined.text).toBe(201)
  return joined.body as unknown as WaitingEntry
}
const entries = async (user: MadeUser): Promise<WaitingEntry[]> =>
  (await t.inject('GET', path, { token: user.token })).body['items'] as unknown as WaitingEntry[]
const accept = (user: MadeUser, id: string, key?: string) =>
  t.inject('PUT', `${path}/${id}/accept`, { token: user.token, ...(key && { headers: { 'idempotency-key': key } }) })
const pageOf = ({ body }: Awaited<ReturnType<typeof accept>>): string | undefined =>
  (body['payment'] as unknown as { url: string } | undefined)?.url

describe('an offer where something is paid first', () => {
  it('leads to the same page however often it is taken, back to its booking, and is a visit once it is paid', async () => {
    const institute = await oneHour()
    const [holder, camille] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt: wednesday })
    const entry = await join(camille, institute)
    await asksFor(t, institute, 'fixed', 1500)
    await cancelled(t, holder, visit._id)
    await settle()
    const taken = await accept(camille, entry._id, 'key-of-accepting')
    expect([taken.status, pageOf(taken)]).toEqual([200, expect.stringMatching(/^https:\/\/house\.test\//)])
    // The answer was lost, and then whoever pays came back with the browser's own button.
    for (const key of ['key-of-accepting', 'another-key', undefined]) {
      const again = await accept(camille, entry._id, key)
      expect([again.status, pageOf(again)], key).toEqual([200, pageOf(taken)])
    }
    const id = String(taken.body['_id'])
    const { rows } = await sql<{ back: string }>`select return_to as back from checkouts where appointment_id = ${id}`.execute(t.db)
    expect(rows).toHaveLength(1)
    const back = new URL(rows[0]?.back ?? '', 'http://soigne.test')
    expect([back.pathname, Object.fromEntries(back.searchParams)]).toEqual([
      `/salon/${institute.slug}/book`,
      { service: institute.services[0], staff: 'any', at: wednesday, hold: id },
    ])
    expect((await entries(camille))[0]?.offer?.startsAt).toBe(wednesday)
    await tells(t, await lastCheckout(t, id), 'paid')
    await settle()
    expect((await readVisit(t, camille, id)).status).toBe('deposit_paid')
    expect(await entries(camille)).toEqual([])
    await isBalanced(t)
  })
})

describe('an earlier time for a visit', () => {
  it.each(['unpaid', 'paid'] as const)('costs what was agreed, whatever the menu asks since: %s', async (kind) => {
    const institute = await oneHour()
    if (kind === 'paid') await asksFor(t, institute, 'fixed', 1500)
    const book = async (user: MadeUser, startsAt: string): Promise<string> =>
      kind === 'paid' ? paidVisit(t, user, institute, { startsAt }) : (await bookVisit(t, user, institute, { startsAt }))._id
    const [holder, camille] = [await makeUser(t.db), await makeUser(t.db)]
    const [theirs, own] = [await book(holder, wednesday), await book(camille, thursday)]
    await sql`update services set price_amount = 6000 where id = ${institute.services[0]}`.execute(t.db)
    const entry = await join(camille, institute, { visitId: own })
    await cancelled(t, holder, theirs)
    await settle()
    expect((await entries(camille))[0]?.offer?.total.amount).toBe(5200)
    expect((await accept(camille, entry._id)).status).toBe(200)
    const visit = await readVisit(t, camille, own)
    expect([visit.startsAt, visit.total.amount, visit.segments.map(({ price }) => price?.amount)]).toEqual([wednesday, 5200, [5200]])
    await isBalanced(t)
  })
})
