import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())

const base = '/api/v1/secure/client/favorites'
interface Card {
  _id: string
  service: { _id: string } | null
  nextTimes: { startsAt: string }[]
}
const toggle = async (user: { token: string }, id: string, query = '') => {
  const { status, body } = await t.inject('POST', `${base}/institute/${id}${query}`, { token: user.token })
  return { status, ...(body as unknown as { isFavourite?: boolean; message: string }) }
}
const list = async (user: { token: string }, query = '') =>
  (await t.inject('GET', `${base}/institutes${query}`, { token: user.token })).body as unknown as { items: Card[]; total: number }
const ids = async (user: { token: string }) =>
  ((await t.inject('GET', `${base}/ids`, { token: user.token })).body as unknown as { ids: string[] }).ids

describe('favourites', () => {
  it('[C-24] [C-25] [E-28] are toggled one by one and listed, the last first', async () => {
    const client = await makeUser(t.db)
    const [one, two] = [await makeInstitute(t.db), await makeInstitute(t.db)]
    expect(await list(client)).toMatchObject({ items: [], total: 0 })
    expect(await toggle(client, one.id)).toMatchObject({ status: 200, isFavourite: true, message: 'Added to Favoris.' })
    t.clock.advance(1000)
    await toggle(client, two.id)
    expect(await ids(client)).toEqual([two.id, one.id])
    expect((await list(client)).items.map(({ _id }) => _id)).toEqual([two.id, one.id])
    expect(await toggle(client, one.id)).toMatchObject({ status: 200, isFavourite: false, message: 'Removed from Favoris.' })
    expect(await ids(client)).toEqual([two.id])
    expect(await ids(await makeUser(t.db))).toEqual([])
  })

  it('show the times that the institute really has, which a booking takes away', async () => {
    const client = await makeUser(t.db)
    const institute = await makeInstitute(t.db, { members: 1 })
    await toggle(client, institute.id)
    const before = (await list(client)).items[0]
    expect(before?.nextTimes).toHaveLength(3)
    const first = before?.nextTimes[0]?.startsAt ?? ''
    const offered = await t.inject('GET', `/api/v1/client/institutes/${institute.id}/availability/next?service=${before?.service?._id}`, {})
    expect(before?.nextTimes.map(({ startsAt }) => startsAt)).toEqual(
      (offered.body as unknown as { times: { startsAt: string }[] }).times.map(({ startsAt }) => startsAt),
    )
    await bookVisit(t, client, institute, { startsAt: first })
    expect((await list(client)).items[0]?.nextTimes.map(({ startsAt }) => startsAt)).not.toContain(first)
  })

  it('that are free today are found among all of them, each on its own calendar', async () => {
    const client = await makeUser(t.db)
    // Friday 11:00 in London, one in the night in Honolulu; in Chatham Saturday has begun. In Paris it is noon.
    const free = await Promise.all(
      ['Europe/London', 'Pacific/Honolulu', 'Pacific/Chatham'].map((timeZone) => makeInstitute(t.db, { timeZone })),
    )
    const closed = await Promise.all(Array.from({ length: 10 }, () => makeInstitute(t.db, { closesAt: 720 })))
    for (const { id } of [...free, ...closed]) {
      await toggle(client, id)
      t.clock.advance(1)
    }
    const all = await list(client, '?pageSize=10')
    expect([all.total, all.items.every(({ nextTimes }) => nextTimes[0]?.startsAt.startsWith('2026-11-21'))]).toEqual([13, true])
    const found = await list(client, '?free=today&pageSize=10')
    expect([found.items.map(({ _id }) => _id), found.total]).toEqual([free.map(({ id }) => id).toReversed(), 3])
    expect(found.items.map(({ nextTimes }) => nextTimes[0]?.startsAt.slice(0, 16))).toEqual([
      '2026-11-20T19:15',
      '2026-11-20T19:00',
      '2026-11-20T11:20',
    ])
    expect(await list(client, '?free=today&pageSize=10&page=2')).toMatchObject({ items: [], total: 3 })
  })

  it('end as said however often it is sent, and two taps at once are two changes', async () => {
    const client = await makeUser(t.db)
    const { id } = await makeInstitute(t.db)
    expect((await toggle(client, id, '?favourite=true')).isFavourite).toBe(true)
    expect((await toggle(client, id, '?favourite=true')).isFavourite).toBe(true)
    expect(await ids(client)).toEqual([id])
    const both = await Promise.all([toggle(client, id), toggle(client, id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await toggle(client, id, '?favourite=false')).isFavourite).toBe(false)
    expect((await toggle(client, id, '?favourite=false')).isFavourite).toBe(false)
    expect(await ids(client)).toEqual([])
  })

  it('are of published institutes: another is not known, and one that closes is hidden but can be let go', async () => {
    const client = await makeUser(t.db)
    const { id } = await makeInstitute(t.db)
    await toggle(client, id)
    await sql`update institutes set state = 'suspended' where id = ${id}`.execute(t.db)
    expect(await list(client)).toMatchObject({ items: [], total: 0 })
    expect((await toggle(client, id)).status).toBe(200)
    expect((await toggle(client, id)).status).toBe(404)
    expect((await toggle(client, '019b8d2b-8c00-7cc5-9521-554c2efd34e7')).status).toBe(404)
  })

  it('[C-25] need a session', async () => {
    expect((await t.inject('GET', `${base}/institutes`, {})).status).toBe(401)
  })
})
