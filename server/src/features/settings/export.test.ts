import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'
import { dataByWay } from './personal-money-store.ts'
import { personalData } from './personal-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** About a person through their account, though the account itself is not what the rows are for. */
const ofNobody = ['institutes', 'program_keys']

describe('one’s own data', () => {
  it('has a place in the list for every column that names an account', async () => {
    const { rows } = await sql<{ place: string }>`select c.conrelid::regclass || '.' || a.attname as place
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`.execute(t.db)
    expect(Object.keys(personalData).toSorted()).toEqual(rows.map(({ place }) => place).toSorted())
  })

  it('has a place for every table that leads to an account by way of others', async () => {
    const named = [...new Set(Object.keys(personalData).map((place) => place.split('.')[0] ?? ''))]
    const roots = named.filter((table) => !ofNobody.includes(table))
    const { rows } = await sql<{ name: string }>`with recursive way (name) as (
        select unnest(${roots}::text[]) union
        select c.conrelid::regclass::text from way w join pg_constraint c on c.contype = 'f' and c.confrelid = w.name::regclass
          where c.conrelid::regclass::text <> all(${ofNobody}::text[]))
      select name from way union
      select c.table_name::text from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('user_id', 'customer_id', 'appointment_id', 'sale_id', 'checkout_id')`.execute(
      t.db,
    )
    const reached = rows.map(({ name }) => name)
    expect(reached.filter((name) => !named.includes(name) && !Object.hasOwn(dataByWay, name))).toEqual([])
    expect(Object.keys(dataByWay).filter((name) => !reached.includes(name))).toEqual([])
    const names = [...Object.values(personalData), ...Object.values(dataByWay)].flatMap((place) => ('read' in place ? [place.name] : []))
    expect(names).toHaveLength(new Set(names).size)
  })

  it('is everything that is held about somebody, and of nobody else', async () => {
    const [client, other] = [await makeUser(t.db, { firstName: 'Salma' }), await makeUser(t.db, { firstName: 'Ines' })]
    const institute = await makeInstitute(t.db, { name: 'Dar Zellige' })
    await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    await bookVisit(t, other, institute, { startsAt: '2026-11-24T13:00:00Z' })
    await t.inject('POST', `/api/v1/secure/client/favorites/institute/${institute.id}`, { token: client.token })
    const { body: chat } = await t.inject('POST', '/api/v1/secure/chats', { token: client.token, body: { instituteId: institute.id } })
    const said = { chatId: chat['_id'], clientId: 'exported-message', text: 'Is there parking?' }
    await t.inject('POST', '/api/v1/secure/messages', { token: client.token, body: said })
    await t.drainJobs()
    const { exportedAt, data, text } = await ownDataOf(t, client)
    expect(exportedAt).toBe('2026-11-20T11:00:00.000Z')
    expect(data['profile']).toEqual([expect.objectContaining({ email: client.email, firstName: 'Salma', lastName: 'Benali' })])
    expect(data['visits']).toEqual([expect.objectContaining({ institute: 'Dar Zellige', services: [expect.anything()] })])
    expect(data['favourites']).toEqual([expect.objectContaining({ institute: 'Dar Zellige' })])
    expect(data['keptByInstitutes']).toHaveLength(1)
    expect(data['conversations']).toEqual([expect.objectContaining({ messages: [expect.objectContaining({ text: 'Is there parking?' })] })])
    expect(data['devices']).toHaveLength(1)
    expect(data['letters']?.length).toBeGreaterThan(0)
    expect(data['notifications']?.length).toBeGreaterThan(0)
    expect(text).not.toContain(other.email)
    expect(text).not.toContain('Ines')
    expect(text).not.toMatch(/password|token/i)
  })

  it('has what institutes noted of visits, and the records that were joined to one’s own', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    const institute = await makeInstitute(t.db, { name: 'Dar Zellige' })
    const visit = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    await t.drainJobs()
    await sql`update appointments set own_note = 'Sits at the window' where id = ${visit._id}`.execute(t.db)
    await sql`insert into customers (institute_id, first_name, notes, merged_into)
      select institute_id, 'Salma B.', 'Tea, no sugar', id from customers where user_id = ${client.id}`.execute(t.db)
    const { data } = await ownDataOf(t, client)
    expect(data['visits']).toEqual([expect.objectContaining({ noteOfInstitute: 'Sits at the window', bookedAt: expect.any(String) })])
    expect(data['keptByInstitutes']?.map((row) => row['notes'])).toEqual(expect.arrayContaining(['Tea, no sugar']))
    expect(data['keptByInstitutes']).toHaveLength(2)
  })

  it('is the same texts without the files, for programs', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    const { body } = await t.inject('GET', '/api/v1/secure/client/export', { token: client.token })
    const { exportedAt, data } = await ownDataOf(t, client)
    expect(body).toMatchObject({ format: 'soigne-account', version: 1, exportedAt, data: { profile: data['profile'] } })
    expect(Object.keys(body['data'] as unknown as object)).toEqual(Object.keys(data))
  })

  it('needs a session', async () => {
    expect((await t.inject('GET', '/api/v1/secure/client/export', {})).status).toBe(401)
  })
})
