import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit } from '#/testing/booking.ts'
import { type MadeUser, makeInstitute } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100', LIMIT_LOGINS: '100' } })
})
afterAll(() => t.close())

const password = 'quiet morning tea'

/** An account with names that nothing else has. */
async function register(role = 'isClient', given: { email?: string; confirmed?: boolean } = {}): Promise<MadeUser> {
  const { email = `${randomUUID()}@people.test`, confirmed = true } = given
  const body = { email, password, role, firstName: 'Zulmira', lastName: 'Quintanilha', phone: '+33 6 98 76 54 32', acceptTerms: true }
  const { token = '' } = (await t.inject('POST', '/api/v1/client/auth/register', { body })).body as unknown as { token?: string }
  if (confirmed) await sql`update users set email_verified_at = now() where email = ${email}`.execute(t.db)
  const { id = '' } = (await t.inject('GET', '/api/v1/secure/client/profile/me', { token })).body as unknown as { id?: string }
  return { id, email, token }
}
const erase = (token: string, typed = password) => t.inject('DELETE', '/api/v1/secure/client/account', { token, body: { password: typed } })

/** Tables with a row that says one of these words somewhere. */
async function tablesThatSay(words: RegExp): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select schemaname || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(t.db)
  const found: string[] = []
  for (const { name } of rows) {
    const said = await sql<{ said: string | null }>`select string_agg(x::text, ' ') as said from ${sql.raw(name)} x`.execute(t.db)
    if (words.test(said.rows[0]?.said ?? '')) found.push(name)
  }
  return found
}

describe('the end of an account', () => {
  it('leaves name, email and phone in no column of any table, and the visit in the books of the institute', async () => {
    const client = await register()
    const institute = await makeInstitute(t.db, { homeRadiusKm: 10, services: [{ venue: 'either' }] })
    const home = { line: '3 rue Quintanilha', city: 'Lyon', lat: 45.76, lon: 4.83 }
    const booked = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z', home })
    await sql`update appointments set note = 'Quintanilha, please' where id = ${booked._id}`.execute(t.db)
    await sql`insert into customers (institute_id, user_id, first_name, last_name, email, phone)
      values (${institute.id}, ${client.id}, 'Zulmira', 'Quintanilha', ${client.email}, '+33 6 98 76 54 32')
      on conflict (institute_id, user_id) do update set email = excluded.email, phone = excluded.phone, first_name = excluded.first_name`.execute(
      t.db,
    )
    await t.inject('POST', `/api/v1/secure/client/favorites/institute/${institute.id}`, { token: client.token })
    const { body: chat } = await t.inject('POST', '/api/v1/secure/chats', { token: client.token, body: { instituteId: institute.id } })
    const said = { chatId: chat['_id'], clientId: 'erased-message', text: 'I am Zulmira' }
    expect((await t.inject('POST', '/api/v1/secure/messages', { token: client.token, body: said })).status).toBe(201)
    await t.inject('POST', `/api/v1/secure/chats/${chat['_id']}/report`, { token: client.token, body: { reason: 'Not kind to Zulmira' } })
    await t.drainJobs()
    expect(await erase(client.token)).toMatchObject({ status: 409, body: { code: 'visits_ahead' } })
    t.clock.set('2026-11-25T11:00:00Z')
    await sql`update sessions set expires_at = '2099-01-01T00:00:00Z'`.execute(t.db)
    const words = new RegExp(`${client.email}|zulmira|quintanilha|98 76 54 32`, 'i')
    expect((await tablesThatSay(words)).length).toBeGreaterThan(3)
    expect((await erase(client.token)).status).toBe(200)
    await t.drainJobs()
    expect(await tablesThatSay(words)).toEqual([])
    const { rows } = await sql<{ user_id: string | null }>`select user_id from appointments where id = ${booked._id}`.execute(t.db)
    expect(rows).toEqual([{ user_id: null }])
    const { rows: events } = await sql<{ kind: string }>`select kind from events where subject_id = ${client.id}`.execute(t.db)
    expect(events).toEqual([{ kind: 'account.erased' }])
    expect((await erase(client.token)).status).toBe(401)
  })

  it('touches nothing of whoever has the address, where it was never confirmed to be theirs', async () => {
    const stranger = `${randomUUID()}@people.test`
    const institute = await makeInstitute(t.db)
    await sql`insert into customers (institute_id, first_name, last_name, email, notes)
      values (${institute.id}, 'Anna', 'Moreau', ${stranger}, 'Likes it short')`.execute(t.db)
    await sql`insert into institute_invitations (institute_id, email, level, locale, invited_by, created_at, expires_at)
      select ${institute.id}, ${stranger}, 'staff', 'en', owner_id, now(), '2099-01-01T00:00:00Z' from institutes where id = ${institute.id}`.execute(
      t.db,
    )
    await sql`insert into mails (dedupe_key, kind, recipient, subject, html, body)
      values (${`told:${stranger}`}, 'visit_booked', ${stranger}, 'Booked', 'See you', 'See you')`.execute(t.db)
    const { token } = await register('isClient', { email: stranger, confirmed: false })
    expect((await erase(token)).status).toBe(200)
    const { rows } =
      await sql`select first_name, last_name, email::text as email, notes from customers where institute_id = ${institute.id}`.execute(t.db)
    expect(rows).toEqual([{ first_name: 'Anna', last_name: 'Moreau', email: stranger, notes: 'Likes it short' }])
    expect((await sql`select from institute_invitations where email = ${stranger}`.execute(t.db)).rows).toHaveLength(1)
    expect((await sql`select from mails where recipient = ${stranger} and kind = 'visit_booked'`.execute(t.db)).rows).toHaveLength(1)
  })

  it('keeps the grades of a review, without its author', async () => {
    const client = await register()
    const institute = await makeInstitute(t.db)
    const visit = await makeVisit(t.db, {
      userId: client.id,
      instituteId: institute.id,
      startsAt: '2026-11-10T09:00:00Z',
      attendance: 'done',
    })
    await t.inject('POST', `/api/v1/secure/appointments/${visit}/review`, {
      token: client.token,
      body: { welcoming: 5, hygiene: 5, atmosphere: 4, serviceQuality: 4, text: 'By Zulmira Quintanilha' },
    })
    // An answer names whom it thanks, and what it answers is gone.
    await sql`update reviews set reply = 'Thank you, Zulmira', replied_at = now() where appointment_id = ${visit}`.execute(t.db)
    await t.drainJobs()
    expect((await erase(client.token)).status).toBe(200)
    await t.drainJobs()
    const { rows } = await sql`select author, text, welcoming from reviews where appointment_id = ${visit}`.execute(t.db)
    expect(rows).toEqual([{ author: null, text: '', welcoming: 5 }])
    expect(await tablesThatSay(/zulmira|quintanilha/i)).toEqual([])
  })

  it('needs the password, and an owner is told why not', async () => {
    const owner = await register('isPro')
    await makeInstitute(t.db, { ownerId: owner.id })
    expect(await erase(owner.token, 'not this one')).toMatchObject({
      status: 400,
      body: { details: { fields: { password: 'That is not your password.' } } },
    })
    expect(await erase(owner.token)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    expect((await t.inject('GET', '/api/v1/secure/client/profile/me', { token: owner.token })).status).toBe(200)
  })
})
