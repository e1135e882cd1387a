/** Two records that are one person over HTTP: found, joined, taken apart again. */
import { instituteHeader } from '@soigne/contract/access'
import { type Customer, type Duplicate, undoDays } from '@soigne/contract/customers'
import { dayMs } from '@soigne/contract/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

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
const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `${base}${path}`, { token: owner.token, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const refused = ({ status, body }: TestAnswer): [number, string] => [status, String(body['code'])]
const add = async (body: object): Promise<string> => String((await ask('POST', '', { isAnother: true, ...body })).body['_id'])
const pairs = async (query = ''): Promise<Duplicate[]> => (await ask('GET', `/duplicates${query}`)).body['items'] as unknown as Duplicate[]
const named = (all: Duplicate[]): [string[], string[]][] => all.map(({ reasons, records }) => [records.map(({ name }) => name), reasons])
const record = async (id: string): Promise<Customer> => (await ask('GET', `/${id}`)).body as unknown as Customer

/** Visits of a record that came, of one price each. */
async function visit(id: string, times: number, each: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const user = await makeUser(t.db)
    const startsAt = `2026-0${1 + (n % 9)}-${String(1 + n).padStart(2, '0')}T09:00:00Z`
    const visitId = await makeVisit(t.db, { userId: user.id, instituteId: institute.id, startsAt, attendance: 'done' })
    await sql`update appointments set customer_id = ${id}, user_id = null, total_amount = ${each} where id = ${visitId}`.execute(t.db)
    await sql`delete from customers where user_id = ${user.id}`.execute(t.db)
  }
}
const merge = (keepId: string, mergeId: string, take: object = {}): Promise<TestAnswer> => ask('POST', '/merge', { keepId, mergeId, take })

describe('records that look like one person', () => {
  it('are told with the reason: one phone however it is written, one email, one name that nothing speaks against', async () => {
    const camille = await add({ firstName: 'Camille', lastName: 'Renaud', phone: '06 44 18 20 93' })
    const short = await add({ firstName: 'camille', lastName: 'r', phone: '+33 6 44 18 20 93' })
    await add({ firstName: 'Léa', lastName: 'Morel', email: 'lea@mail.test' })
    await add({ firstName: 'lea', lastName: 'MOREL', phone: '07 00 00 00 01' })
    // Walk-ins without contact, two of one name with other numbers, and a child with the mother's number.
    await add({ firstName: 'Léa', lastName: 'Morel' })
    await add({ firstName: 'Paul', lastName: 'Petit', phone: '07 00 00 00 02' })
    await add({ firstName: 'Paul', lastName: 'Petit', phone: '07 00 00 00 03' })
    const [mother, child] = [
      await add({ firstName: 'Ines', phone: '07 00 00 00 04' }),
      await add({ firstName: 'Jeanne', phone: '07 00 00 00 04' }),
    ]
    await ask('PUT', `/${child}/relations/${mother}`, { kind: 'guardian' })
    expect(named(await pairs()).toSorted()).toEqual([
      [['Camille Renaud', 'camille r'], ['phone']],
      [['Léa Morel', 'lea MOREL'], ['name']],
    ])
    expect(named(await pairs(`?of=${camille}`))).toEqual([[['Camille Renaud', 'camille r'], ['phone']]])
    expect((await ask('POST', '/duplicates', { oneId: short, otherId: camille })).status).toBe(200)
    expect((await ask('POST', '/duplicates', { oneId: camille, otherId: short })).status).toBe(200)
    expect(await pairs(`?of=${camille}`)).toEqual([])
  })

  it('of two accounts stay two', async () => {
    const [one, other] = [await makeUser(t.db), await makeUser(t.db)]
    for (const { id: userId } of [one, other])
      await makeVisit(t.db, { userId, instituteId: institute.id, startsAt: '2026-10-01T09:00:00Z' })
    await sql`update customers set phone = '06 44 18 20 93' where institute_id = ${institute.id}`.execute(t.db)
    expect(await pairs()).toEqual([])
    const { rows } = await sql<{ id: string }>`select id from customers where institute_id = ${institute.id}`.execute(t.db)
    expect(refused(await merge(rows[0]?.id ?? '', rows[1]?.id ?? ''))).toEqual([409, 'two_accounts'])
  })
})

describe('joining two records', () => {
  it('[P-09] adds up what both had, fills what one lacks, and can be taken apart for 30 days', async () => {
    const camille = await add({
      firstName: 'Camille',
      lastName: 'Renaud',
      phone: '06 44 18 20 93',
      email: 'camille@mail.test',
      notes: 'Short and rounded',
      tags: ['VIP'],
    })
    const short = await add({
      firstName: 'camille',
      lastName: 'r',
      phone: '+33 6 44 18 20 93',
      birthday: '1990-06-02',
      notes: 'Evenings',
      tags: ['Walk-in'],
    })
    await visit(camille, 12, 4300)
    await visit(camille, 2, 4800)
    await visit(short, 1, 2800)
    await ask('PUT', `/${short}/health`, { allergies: 'Acrylates', formulas: '' })
    await ask('POST', `/${short}/consents`, { title: 'Patch test', text: 'Told', signedBy: 'Camille' })
    expect(await record(camille)).toMatchObject({ visits: 14, spend: { amount: 61_200 } })
    const answer = (await merge(camille, short, { name: 'keep', phone: 'keep' })).body as unknown as {
      mergeId: string
      until: string
      customer: Customer
    }
    expect(answer.customer).toMatchObject({
      name: 'Camille Renaud',
      phone: '06 44 18 20 93',
      email: 'camille@mail.test',
      birthday: '1990-06-02',
      visits: 15,
      spend: { amount: 64_000, currency: 'EUR' },
      notes: 'Short and rounded\nEvenings',
      tags: ['VIP', 'Walk-in'],
      consents: [{ title: 'Patch test' }],
      health: { isKept: true },
      merges: [{ _id: answer.mergeId, name: 'camille r' }],
    })
    expect(answer.until).toBe(new Date(t.clock.now() + undoDays * dayMs).toISOString())
    expect((await ask('GET', `/${short}`)).status).toBe(404)
    expect((await ask('GET', '')).body['total']).toBe(1)
    expect(refused(await merge(camille, short))).toEqual([404, 'not_found'])
    // What was changed meanwhile stays where it was changed.
    await ask('PUT', `/${camille}`, { tags: ['VIP', 'Regular'] })
    t.clock.advance(29 * dayMs)
    const parted = (await ask('POST', `/merges/${answer.mergeId}/undo`)).body as unknown as Customer
    expect(parted).toMatchObject({
      visits: 14,
      spend: { amount: 61_200 },
      birthday: null,
      notes: 'Short and rounded',
      tags: ['VIP', 'Regular'],
      consents: [],
      health: { isKept: false },
      merges: [],
    })
    expect(await record(short)).toMatchObject({
      name: 'camille r',
      visits: 1,
      spend: { amount: 2800 },
      notes: 'Evenings',
      consents: [{ title: 'Patch test' }],
      health: { isKept: true },
    })
    expect(refused(await ask('POST', `/merges/${answer.mergeId}/undo`))).toEqual([409, 'wrong_state'])
    const kinds = (await eventsOf(t.db, institute)).filter(({ kind }) => kind.startsWith('customer.') && kind !== 'customer.changed')
    expect(kinds.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['customer.merged', { mergeId: answer.mergeId, mergedId: short }],
      ['customer.parted', { mergeId: answer.mergeId, mergedId: short }],
    ])
  })

  it('takes the account along, and gives it back', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    await makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt: '2026-10-01T09:00:00Z', attendance: 'done' })
    const { rows } = await sql<{ id: string }>`select id from customers where user_id = ${client.id}`.execute(t.db)
    const [walkIn, online] = [await add({ firstName: 'Salma', phone: '07 00 00 00 01' }), rows[0]?.id ?? '']
    const joined = (await merge(walkIn, online, { name: 'merge' })).body as unknown as { mergeId: string; customer: Customer }
    expect(joined.customer).toMatchObject({ hasAccount: true, visits: 1 })
    // Whoever books again, books for the record that is left.
    await makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt: '2026-10-08T09:00:00Z', attendance: 'done' })
    expect(await record(walkIn)).toMatchObject({ visits: 2 })
    await ask('POST', `/merges/${joined.mergeId}/undo`)
    expect([await record(walkIn), await record(online)].map(({ hasAccount, visits }) => [hasAccount, visits])).toEqual([
      [false, 0],
      [true, 2],
    ])
  })

  it('keeps what each pays first, and loses no word that was to be known', async () => {
    const [kept, other] = [
      await add({ firstName: 'Ines', alert: 'Always ten minutes late' }),
      await add({ firstName: 'Ines', alert: 'Latex', notes: 'Evenings' }),
    ]
    await ask('PUT', `/${other}`, { paysFirst: 'all' })
    const joined = (await merge(kept, other)).body as unknown as { mergeId: string; customer: Customer }
    expect(joined.customer).toMatchObject({ alert: 'Always ten minutes late · Latex', notes: 'Evenings', paysFirst: 'all' })
    const parted = (await ask('POST', `/merges/${joined.mergeId}/undo`)).body as unknown as Customer
    expect(parted).toMatchObject({ alert: 'Always ten minutes late', notes: '', paysFirst: null })
    expect(await record(other)).toMatchObject({ alert: 'Latex', notes: 'Evenings', paysFirst: 'all' })
    // What is too long for one line stands in the notes.
    const long = 'Rings from the courtyard, '.repeat(6).trim()
    await ask('PUT', `/${kept}`, { alert: long })
    expect(((await merge(kept, other)).body as unknown as { customer: Customer }).customer).toMatchObject({
      alert: long,
      notes: 'Evenings\nLatex',
    })
  })

  it('takes along what was joined before, so that a package of the first is one of the last, and gives it back', async () => {
    const [first, second, last] = [await add({ firstName: 'A' }), await add({ firstName: 'B' }), await add({ firstName: 'C' })]
    const shop = (method: 'GET' | 'POST', path: string, body?: object): Promise<TestAnswer> =>
      t.inject(method, `/api/v1/secure/mysalon${path}`, {
        token: owner.token,
        headers: { [instituteHeader]: institute.id },
        ...(body && { body }),
      })
    const { _id: packageId } = (
      await shop('POST', '/packages', { name: 'Five', sessions: 5, months: 6, price: 10_000, serviceIds: institute.services.slice(0, 1) })
    ).body
    const sale = { lines: [{ packageId }], payments: [{ method: 'cash', amount: 10_000 }], customerId: first }
    expect((await shop('POST', '/sales', sale)).status).toBe(201)
    const held = async (id: string): Promise<unknown[]> =>
      ((await shop('GET', `/customers/${id}/packages`)).body['items'] as unknown as { left: number }[]).map(({ left }) => left)
    const one = String((await merge(second, first)).body['mergeId'])
    const other = String((await merge(last, second)).body['mergeId'])
    expect(await held(last)).toEqual([5])
    await ask('POST', `/merges/${other}/undo`)
    expect([await held(second), await held(last)]).toEqual([[5], []])
    await ask('POST', `/merges/${one}/undo`)
    expect([await held(first), await held(second)]).toEqual([[5], []])
  })

  it('is undone as well where it was noted before it said all of this', async () => {
    const [kept, other] = [await add({ firstName: 'Ines', alert: 'Latex' }), await add({ firstName: 'Ines', notes: 'Evenings' })]
    const mergeId = String((await merge(kept, other)).body['mergeId'])
    await sql`update customer_merges set before = before - 'paysFirst', moved = moved - 'joined' #- '{after,paysFirst}' where id = ${mergeId}`.execute(
      t.db,
    )
    await ask('PUT', `/${kept}`, { paysFirst: 'all' })
    expect((await ask('POST', `/merges/${mergeId}/undo`)).body).toMatchObject({ notes: '', paysFirst: 'all' })
    expect(await record(other)).toMatchObject({ notes: 'Evenings' })
  })

  it('is too late to undo after 30 days, and goes back in order', async () => {
    const [a, b, c] = [await add({ firstName: 'A' }), await add({ firstName: 'B' }), await add({ firstName: 'C' })]
    const first = String((await merge(a, b)).body['mergeId'])
    const second = String((await merge(a, c)).body['mergeId'])
    expect(refused(await ask('POST', `/merges/${first}/undo`))).toEqual([409, 'wrong_state'])
    expect((await ask('POST', `/merges/${second}/undo`)).status).toBe(200)
    t.clock.advance(undoDays * dayMs)
    expect(refused(await ask('POST', `/merges/${first}/undo`))).toEqual([422, 'too_late'])
    expect((await record(a)).merges).toEqual([])
  })

  it('is done once when two do it at the same moment, and never across institutes', async () => {
    const [a, b] = [await add({ firstName: 'A' }), await add({ firstName: 'B' })]
    const answers = await Promise.all([merge(a, b), merge(b, a), merge(a, b)])
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 404, 404])
    const { rows } = await sql<{
      id: string
    }>`insert into customers (institute_id, first_name) values (${(await makeInstitute(t.db)).id}, 'X') returning id`.execute(t.db)
    const own = await add({ firstName: 'D' })
    expect(refused(await merge(own, rows[0]?.id ?? ''))).toEqual([404, 'not_found'])
    expect((await merge(own, own)).status).toBe(400)
  })
})
