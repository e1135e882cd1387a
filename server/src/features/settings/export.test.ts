import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { personalData } from './personal-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

interface Export {
  exportedAt: string
  data: Record<string, Record<string, unknown>[]>
}
const exported = async (token: string) => (await t.inject('GET', '/api/v1/secure/client/export', { token })).body as unknown as Export

describe('one’s own data', () => {
  it('has a place in the list for every column that names an account', async () => {
    const { rows } = await sql<{ place: string }>`select c.conrelid::regclass || '.' || a.attname as place
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`.execute(t.db)
    expect(Object.keys(personalData).toSorted()).toEqual(rows.map(({ place }) => place).toSorted())
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
    const { exportedAt, data } = await exported(client.token)
    expect(exportedAt).toBe('2026-11-20T11:00:00.000Z')
    expect(data['profile']).toEqual([expect.objectContaining({ email: client.email, firstName: 'Salma', lastName: 'Benali' })])
    expect(data['visits']).toEqual([expect.objectContaining({ institute: 'Dar Zellige', services: [expect.anything()] })])
    expect(data['favourites']).toEqual([expect.objectContaining({ institute: 'Dar Zellige' })])
    expect(data['keptByInstitutes']).toHaveLength(1)
    expect(data['conversations']).toEqual([expect.objectContaining({ messages: [expect.objectContaining({ text: 'Is there parking?' })] })])
    expect(data['devices']).toHaveLength(1)
    expect(data['letters']?.length).toBeGreaterThan(0)
    expect(data['notifications']?.length).toBeGreaterThan(0)
    const text = JSON.stringify(data)
    expect(text).not.toContain(other.email)
    expect(text).not.toContain('Ines')
    expect(text).not.toMatch(/password|token/i)
  })

  it('needs a session', async () => {
    expect((await t.inject('GET', '/api/v1/secure/client/export', {})).status).toBe(401)
  })
})
