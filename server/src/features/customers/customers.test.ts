/** The list of an institute's clients over HTTP: found, narrowed, put in order. */
import { instituteHeader } from '@soigne/contract/access'
import type { CustomerRow } from '@soigne/contract/customers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFills } from '#/platform/fills.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { customerFills } from './jobs.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const ask = (query = '', user = owner, at = institute): Promise<TestAnswer> =>
  t.inject('GET', `/api/v1/secure/mysalon/customers${query}`, { token: user.token, headers: { [instituteHeader]: at.id } })
const list = async (query = ''): Promise<CustomerRow[]> => {
  const answer = await ask(query)
  expect(answer.status).toBe(200)
  return answer.body['items'] as unknown as CustomerRow[]
}
const names = async (query = ''): Promise<string[]> => (await list(query)).map(({ name }) => name)
interface Known {
  first: string
  last?: string
  phone?: string
  email?: string
  tags?: string[]
  blocked?: boolean
}
const keep = async ({ first, last = '', phone, email, tags = [], blocked = false }: Known, at = institute): Promise<string> => {
  const { rows } = await sql<{
    id: string
  }>`insert into customers (institute_id, first_name, last_name, phone, email, tags, blocked_at, created_at)
    values (${at.id}, ${first}, ${last}, ${phone ?? null}, ${email ?? null}, ${tags}, ${blocked ? new Date(0) : null}, '2026-01-01') returning id`.execute(
    t.db,
  )
  return rows[0]?.id ?? ''
}

describe('clients of an institute', () => {
  it('[P-09] are found by part of a name without accents, by a number however it is written, and by part of an email', async () => {
    await keep({ first: 'Hélène', last: 'Ben Aïcha', phone: '06 44 18 20 93', email: 'helene@mail.test' })
    await keep({ first: 'ياسمين', last: 'العلوي', phone: '+212 6 61 00 11 22' })
    await keep({ first: 'Camille', last: 'Renaud', phone: '+33 (0)7 00 00 00 00' })
    const helene = ['Hélène Ben Aïcha']
    for (const typed of ['helene', 'ÉLÈN', 'aicha hel', '0644182093', '+33 6 44 18', '0033644182093', '44 18 20', 'ene@mail'])
      expect([typed, await names(`?search=${encodeURIComponent(typed)}`)]).toEqual([typed, helene])
    expect(await names(`?search=${encodeURIComponent('العلوى')}`)).toEqual(['ياسمين العلوي'])
    expect(await names('?search=06%2061%2000%2011%2022')).toEqual(['ياسمين العلوي'])
    expect(await names('?search=0700000000')).toEqual(['Camille Renaud'])
    for (const typed of ['%', '_', 'xyz', '12', 'helene renaud', "'"])
      expect(await names(`?search=${encodeURIComponent(typed)}`)).toEqual([])
  })

  it('are told with their visits: what they came to, what it cost, what they missed and what comes next', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    const visit = { userId: client.id, instituteId: institute.id }
    const ids = [
      await makeVisit(t.db, { ...visit, startsAt: '2026-09-01T09:00:00Z', attendance: 'done' }),
      await makeVisit(t.db, { ...visit, startsAt: '2026-10-01T09:00:00Z' }),
      await makeVisit(t.db, { ...visit, startsAt: '2026-10-02T09:00:00Z', attendance: 'no_show' }),
      await makeVisit(t.db, { ...visit, startsAt: '2026-12-01T09:00:00Z' }),
    ]
    const cancelled = await makeVisit(t.db, { ...visit, startsAt: '2026-10-20T09:00:00Z' })
    await sql`update appointments set total_amount = 3800 where id = any(${ids})`.execute(t.db)
    await sql`update appointments set life = 'cancelled', cancelled_at = now(), cancelled_by = 'client' where id = ${cancelled}`.execute(
      t.db,
    )
    expect(await list()).toEqual([
      expect.objectContaining({
        visits: 2,
        spend: { amount: 7600, currency: 'EUR' },
        noShows: 1,
        lastVisitAt: '2026-10-01T09:00:00.000Z',
        nextVisitAt: '2026-12-01T09:00:00.000Z',
      }),
    ])
    expect((await ask()).body).toMatchObject({ timeZone: 'Europe/Paris', now: new Date(t.clock.now()).toISOString() })
  })

  it('[K-01] are narrowed, put in order and told in pages', async () => {
    const [often, once, gone] = [await makeUser(t.db), await makeUser(t.db), await makeUser(t.db)]
    const at = (user: MadeUser, startsAt: string, attendance: 'done' | 'no_show' = 'done') =>
      makeVisit(t.db, { userId: user.id, instituteId: institute.id, startsAt, attendance })
    for (const month of ['06', '07', '08', '11']) await at(often, `2026-${month}-01T09:00:00Z`)
    await at(once, '2026-11-10T09:00:00Z')
    await at(once, '2026-11-12T09:00:00Z', 'no_show')
    for (const month of ['01', '02']) await at(gone, `2026-${month}-01T09:00:00Z`)
    for (const [user, name] of [
      [often, 'Often'],
      [once, 'Once'],
      [gone, 'Gone'],
    ] as const)
      await sql`update customers set first_name = ${name} where user_id = ${user.id}`.execute(t.db)
    await keep({ first: 'Banned', blocked: true, tags: ['VIP', 'Evenings'] })
    expect(await names('?filter=regular')).toEqual(['Often'])
    expect(await names('?filter=new&sort=name')).toEqual(['Banned', 'Once'])
    expect(await names('?filter=away')).toEqual(['Gone'])
    expect(await names('?filter=noShows')).toEqual(['Once'])
    expect(await names('?filter=blocked')).toEqual(['Banned'])
    expect(await names('?tag=VIP')).toEqual(['Banned'])
    expect(await names('?tag=vip')).toEqual([])
    expect(await names('?sort=visits')).toEqual(['Often', 'Gone', 'Once', 'Banned'])
    expect(await names()).toEqual(['Once', 'Often', 'Gone', 'Banned'])
    for (let n = 0; n < 8; n++) await keep({ first: `Walk-in ${n}` })
    expect((await ask('?page=2&sort=name')).body).toMatchObject({ total: 12, page: 2, pageSize: 10, items: [{}, {}] })
    expect((await ask('?page=9')).body).toMatchObject({ total: 12, items: [] })
    for (const query of ['?pageSize=15', '?sort=age', '?filter=all', `?search=${'a'.repeat(121)}`])
      expect([query, (await ask(query)).status]).toEqual([query, 400])
  })

  it('of before are found once their names have been filled, and before', async () => {
    const id = await keep({ first: 'Zoé', phone: '06 11 22 33 44' })
    await sql`alter table customers disable trigger customers_keys`.execute(t.db)
    await sql`update customers set words = null, phone_key = null where id = ${id}`.execute(t.db)
    await sql`alter table customers enable trigger customers_keys`.execute(t.db)
    expect(await names('?search=zoe')).toEqual(['Zoé'])
    expect(await names('?search=0611223344')).toEqual([])
    await sql`delete from migration_fills where name = ${customerFills[0]?.name ?? ''}`.execute(t.db)
    await runFills(t.db, customerFills)
    expect(await names('?search=0611223344')).toEqual(['Zoé'])
  })

  it('are seen by the institute’s people whose level says so, and never by another institute', async () => {
    await keep({ first: 'Camille' })
    const [theirs, neighbour] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
    const next = await makeInstitute(t.db, { ownerId: theirs.id })
    expect((await t.inject('GET', '/api/v1/secure/mysalon/customers', {})).status).toBe(401)
    expect((await ask('', neighbour)).status).toBe(404)
    expect((await ask('', theirs)).status).toBe(404)
    expect((await ask('?search=camille', theirs, next)).body['items']).toEqual([])
    expect((await ask('', await makePerson(t.db, institute.id, 'staff'))).status).toBe(403)
    expect((await ask('', await makePerson(t.db, institute.id, 'reception'))).status).toBe(200)
  })
})
