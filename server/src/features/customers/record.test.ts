/** One customer record over HTTP: read, added, changed, and what is restricted of it. */
import { instituteHeader } from '@soigne/contract/access'
import type { Customer, CustomerHealth, CustomerVisit } from '@soigne/contract/customers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pdfForm, recordAt } from '#/testing/customer-recipes.ts'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { bookVisit } from '#/testing/booking.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Odile' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const base = '/api/v1/secure/mysalon/customers'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, path: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, `${base}${path}`, { token: user.token, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const read = (answer: TestAnswer): Customer => {
  expect([answer.status, answer.body['code'] ?? 'ok']).toEqual([answer.status < 300 ? answer.status : 200, 'ok'])
  return answer.body as unknown as Customer
}
const add = async (body: object): Promise<Customer> => read(await ask('POST', '', body))
const change = async (id: string, body: object): Promise<Customer> => read(await ask('PUT', `/${id}`, body))
const refused = ({ status, body }: TestAnswer): [number, string] => [status, String(body['code'])]

describe('a client’s record', () => {
  it('is added with what is known, changed field by field, and says who wrote the note', async () => {
    const made = await add({
      firstName: ' Camille ',
      lastName: 'Renaud',
      phone: '06 44 18 20 93',
      birthday: '1990-06-02',
      tags: ['VIP', 'VIP'],
    })
    expect(made).toMatchObject({
      name: 'Camille Renaud',
      phone: '06 44 18 20 93',
      email: null,
      age: 36,
      isMinor: false,
      tags: ['VIP'],
      notes: '',
      noted: null,
    })
    const noted = await change(made._id, { notes: 'Likes almond oil.', locale: 'fr', alert: 'No music' })
    expect(noted).toMatchObject({ name: 'Camille Renaud', phone: '06 44 18 20 93', locale: 'fr', alert: 'No music' })
    expect(noted.noted).toEqual({ by: 'Odile Benali', at: new Date(t.clock.now()).toISOString() })
    t.clock.advance(60_000)
    expect((await change(made._id, { phone: '', birthday: null })).noted).toEqual(noted.noted)
    expect(read(await ask('GET', `/${made._id}`))).toMatchObject({ phone: null, birthday: null, age: null, tags: ['VIP'] })
    expect((await eventsOf(t.db, institute)).map(({ kind, payload }) => [kind, payload])).toEqual([
      ['customer.changed', { what: 'added' }],
      ['customer.changed', { what: 'fields' }],
      ['customer.changed', { what: 'fields' }],
    ])
    for (const body of [
      { firstName: '' },
      { email: 'nobody' },
      { phone: 'x' },
      { birthday: '2027-01-01' },
      { birthday: '1890-01-01' },
      { tags: ['a'.repeat(41)] },
      { notes: 'a'.repeat(4001) },
    ])
      expect([body, (await ask('PUT', `/${made._id}`, body)).status]).toEqual([body, 400])
  })

  it('keeps the notes of two who write at once, once each', async () => {
    const { _id } = await add({ firstName: 'Camille', notes: 'Almond oil' })
    const write = async (notesBefore: string, notes: string): Promise<string> => (await change(_id, { notes, notesBefore })).notes
    expect(await write('Almond oil', 'Almond oil\nRings first')).toBe('Almond oil\nRings first')
    expect(await write('Almond oil', 'Almond oil, warm')).toBe('Almond oil, warm\nRings first')
    // Sent once more, it is there.
    expect(await write('Almond oil', 'Almond oil, warm\nRings first')).toBe('Almond oil, warm\nRings first')
    expect(await write('Almond oil', 'Prefers argan')).toBe('Prefers argan\nAlmond oil, warm\nRings first')
    expect(refused(await ask('PUT', `/${_id}`, { notes: 'x'.repeat(4000), notesBefore: 'Other' }))).toEqual([400, 'bad_input'])
    expect(await write('Prefers argan\nAlmond oil, warm\nRings first', '')).toBe('')
  })

  it('is not made twice for one phone or email, unless it is another person; also by two at once', async () => {
    const camille = await add({ firstName: 'Camille', phone: '06 44 18 20 93', email: 'camille@mail.test' })
    for (const body of [{ phone: '+33 6 44 18 20 93' }, { phone: '0033644182093' }, { email: 'Camille@MAIL.test' }]) {
      const answer = await ask('POST', '', { firstName: 'C', ...body })
      expect([answer.status, answer.body['code'], answer.body['details']]).toEqual([
        409,
        'customer_known',
        { customers: [{ _id: camille._id, name: 'Camille' }] },
      ])
    }
    expect((await add({ firstName: 'Jeanne', phone: '0644182093', isAnother: true })).name).toBe('Jeanne')
    // Walk-ins without contact are as many as come.
    await add({ firstName: 'Marie' })
    await add({ firstName: 'Marie' })
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '', { firstName: 'Léa', phone: '07 11 22 33 44' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  it('[P-09] shows who somebody is by their visits: since when, how often, with whom, and what comes next', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    const booked = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    const days = ['2026-08-01', '2026-09-01', '2026-10-01'].map((day) => `${day}T09:00:00Z`)
    const visits = [...days, '2026-10-20T09:00:00Z']
    for (const startsAt of visits) {
      const id = await makeVisit(t.db, {
        userId: client.id,
        instituteId: institute.id,
        startsAt,
        attendance: startsAt.includes('10-20') ? 'no_show' : 'done',
      })
      await sql`update appointments set total_amount = 4000 where id = ${id}`.execute(t.db)
      await sql`insert into segments (appointment_id, institute_id, position, service_id, member_id, starts_at, ends_at, snapshot, price_amount)
        values (${id}, ${institute.id}, 0, ${institute.services[0]}, ${institute.members[0]}, ${startsAt}, ${startsAt}::timestamptz + interval '1 hour', '{"name":{"en":"Cut","fr":"Coupe"}}', 4000)`.execute(
        t.db,
      )
    }
    const { rows } = await sql<{
      id: string
      name: string
    }>`select c.id, m.name from customers c, team_members m where c.user_id = ${client.id} and m.id = ${institute.members[0]}`.execute(t.db)
    const [of] = rows
    const record = read(await ask('GET', `/${of?.id}`))
    expect(record).toMatchObject({
      visits: 3,
      spend: { amount: 12_000, currency: 'EUR' },
      noShows: 1,
      since: '2026-08-01T09:00:00.000Z',
      everyDays: 31,
      mostlyWith: of?.name,
      hasAccount: true,
    })
    expect(record.nextVisitAt).toBe(booked.startsAt)
    expect(record.nextTotal?.amount).toBeGreaterThan(0)
    expect(record.months).toHaveLength(12)
    expect(record.months.filter(({ amount }) => amount > 0).map(({ month }) => month)).toEqual(['2026-08', '2026-09', '2026-10'])
    const history = (await t.inject('GET', `${base}/${of?.id}/visits?pageSize=10`, { token: owner.token, locale: 'fr' }))
      .body as unknown as { items: CustomerVisit[]; total: number }
    expect(history.total).toBe(5)
    expect(history.items[1]).toMatchObject({
      attendance: 'no_show',
      status: 'pending',
      services: ['Coupe'],
      staff: [of?.name],
      total: { amount: 4000, currency: 'EUR' },
    })
  })

  it('keeps files for the institute’s people alone, forms that were signed, and who belongs to whom', async () => {
    const [jeanne, camille, other] = [
      await add({ firstName: 'Jeanne', birthday: '2017-05-01' }),
      await add({ firstName: 'Camille' }),
      await add({ firstName: 'Paul' }),
    ]
    const { payload, headers } = pdfForm()
    const sent = await t.inject('POST', `${base}/${jeanne._id}/files`, { token: owner.token, payload, headers: { ...headers } })
    const [file] = read(sent).files
    expect(file).toMatchObject({ kind: 'document', name: 'form.pdf' })
    expect((await t.inject('GET', file?.url ?? '', {})).status).toBe(200)
    expect((await t.inject('GET', (file?.url ?? '').split('?')[0] ?? '', {})).status).not.toBe(200)
    expect(read(await ask('DELETE', `/${jeanne._id}/files/${file?._id}`)).files).toEqual([])
    expect((await t.inject('GET', file?.url ?? '', {})).status).toBe(404)

    const [signed] = read(
      await ask('POST', `/${jeanne._id}/consents`, { title: 'Patch test', text: 'I was told of the risks.', signedBy: 'Camille Renaud' }),
    ).consents
    expect(signed).toMatchObject({ title: 'Patch test', signedBy: 'Camille Renaud', takenBy: 'Odile Benali', withdrawnAt: null })
    const [withdrawn] = read(await ask('DELETE', `/${jeanne._id}/consents/${signed?._id}`)).consents
    expect([withdrawn?.text, withdrawn?.withdrawnAt]).toEqual(['I was told of the risks.', new Date(t.clock.now()).toISOString()])

    expect(read(await ask('PUT', `/${jeanne._id}/relations/${other._id}`, { kind: 'guardian' })).isMinor).toBe(true)
    // One guardian: the last.
    expect(read(await ask('PUT', `/${jeanne._id}/relations/${camille._id}`, { kind: 'guardian' })).relations).toEqual([
      { _id: camille._id, name: 'Camille', kind: 'guardian', side: 'of', age: null },
    ])
    expect(read(await ask('GET', `/${camille._id}`)).relations).toEqual([
      { _id: jeanne._id, name: 'Jeanne', kind: 'guardian', side: 'to', age: 9 },
    ])
    expect(read(await ask('DELETE', `/${camille._id}/relations/${jeanne._id}`)).relations).toEqual([])
    expect((await ask('PUT', `/${jeanne._id}/relations/${jeanne._id}`, { kind: 'family' })).status).toBe(400)
    expect(refused(await ask('DELETE', `/${jeanne._id}/relations/${camille._id}`))).toEqual([404, 'not_found'])
  })

  it('is of one institute: another, a guest and people without the right read nothing of it', async () => {
    const id = await recordAt({ t }, await makeInstitute(t.db))
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['GET', `/${id}/visits`],
      ['POST', `/${id}/health/openings`],
    ] as const)
      expect(refused(await ask(method, path))).toEqual([404, 'not_found'])
    const own = (await add({ firstName: 'Camille' }))._id
    expect((await ask('GET', `/${own}`, undefined, await makePerson(t.db, institute.id, 'staff'))).status).toBe(403)
    expect((await t.inject('GET', `${base}/${own}`, {})).status).toBe(401)
  })
})

describe('what is kept of a client’s health', () => {
  it('is opened by the owner alone, each opening is told, and it stands nowhere else', async () => {
    const { _id } = await add({ firstName: 'Camille', notes: 'Almond oil' })
    const put = await ask('PUT', `/${_id}/health`, { allergies: 'Acrylates', formulas: '6.3 + 20 vol' })
    expect(put.body).toMatchObject({ allergies: 'Acrylates', openings: [] })
    const manager = await makePerson(t.db, institute.id, 'manager')
    for (const [method, path, body] of [
      ['POST', 'health/openings'],
      ['PUT', 'health', { allergies: '', formulas: '' }],
    ] as const)
      expect(refused(await ask(method, `/${_id}/${path}`, body, manager))).toEqual([403, 'forbidden'])
    expect(read(await ask('GET', `/${_id}`, undefined, manager)).health).toEqual({ isKept: true, mayOpen: false, lastOpened: null })
    const opened = (await ask('POST', `/${_id}/health/openings`)).body as unknown as CustomerHealth
    expect(opened).toEqual({ allergies: 'Acrylates', formulas: '6.3 + 20 vol', openings: [] })
    const first = { by: 'Odile Benali', at: new Date(t.clock.now()).toISOString() }
    t.clock.advance(60_000)
    expect(((await ask('POST', `/${_id}/health/openings`)).body as unknown as CustomerHealth).openings).toEqual([first])
    const record = await ask('GET', `/${_id}`)
    expect(read(record).health).toEqual({
      isKept: true,
      mayOpen: true,
      lastOpened: { ...first, at: new Date(t.clock.now()).toISOString() },
    })
    const told = [
      record.text,
      (await ask('GET', '')).text,
      (await ask('GET', '/export.csv')).text,
      JSON.stringify(await eventsOf(t.db, institute)),
    ]
    for (const text of told) expect(text).not.toMatch(/acrylates|6\.3/i)
    await ask('PUT', `/${_id}/health`, { allergies: '', formulas: '' })
    expect(read(await ask('GET', `/${_id}`)).health.isKept).toBe(false)
  })

  it('keeps what two write at once, and notes that one has read the other’s', async () => {
    const { _id } = await add({ firstName: 'Camille' })
    const before = { allergies: 'Latex', formulas: '6.3' }
    const write = async (body: object) => (await ask('PUT', `/${_id}/health`, body)).body as unknown as CustomerHealth
    await write(before)
    expect(await write({ ...before, allergies: 'Latex\nNuts', before })).toMatchObject({ allergies: 'Latex\nNuts', openings: [] })
    const both = await write({ allergies: 'Latex, severe', formulas: '6.4', before })
    expect(both).toMatchObject({ allergies: 'Latex, severe\nNuts', formulas: '6.4' })
    expect(both.openings).toHaveLength(1)
    const left = { allergies: 'x'.repeat(2000), formulas: '6.4', before }
    expect(refused(await ask('PUT', `/${_id}/health`, left))).toEqual([400, 'bad_input'])
    expect(await write({ allergies: '', formulas: '' })).toMatchObject({ allergies: '', formulas: '' })
  })
})

describe('an account that has ended', () => {
  it('leaves nothing in the records of institutes, and took a copy before', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    await makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt: '2026-10-01T09:00:00Z', attendance: 'done' })
    const { rows } = await sql<{ id: string }>`select id from customers where user_id = ${client.id}`.execute(t.db)
    const id = rows[0]?.id ?? ''
    await change(id, { alert: 'Rings twice', tags: ['VIP'], notes: 'Salma likes it short', phone: '06 44 18 20 93' })
    await ask('PUT', `/${id}/health`, { allergies: 'Acrylates', formulas: '' })
    await ask('POST', `/${id}/consents`, { title: 'Patch test', text: 'Told', signedBy: 'Salma' })
    const copy = (await ownDataOf(t, client)).text
    for (const part of ['Rings twice', 'Acrylates', 'Patch test', 'Salma likes it short']) expect(copy).toContain(part)
    await sql`update users set password_hash = null where id = ${client.id}`.execute(t.db)
    const { eraseAccount } = await import('#/features/settings/erase-store.ts')
    const { systemScope } = await import('#/platform/access.ts')
    await eraseAccount(t.db, systemScope('tests').user(client.id), client.email)
    const left = await ask('GET', `/${id}`)
    expect(read(left)).toMatchObject({
      name: '–',
      phone: null,
      alert: '',
      notes: '',
      tags: [],
      consents: [],
      health: { isKept: false },
      visits: 1,
    })
    expect(left.text).not.toMatch(/Salma|Acrylates|Rings/)
  })
})
