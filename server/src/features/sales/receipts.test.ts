/** Letters with an invoice or a credit note: to whom, in which language, and once. */
import type { Sale } from '@soigne/contract/sales'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T08:00:00Z'
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, services: [{ name: 'Cut', active: 40, price: 4200 }] })
})

async function asked<T>(path: string, body: object): Promise<T> {
  const answer = await t.inject('POST', base + path, { token: owner.token, body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as T
}
let people = 0
const address = (): string => `receipt-${++people}@people.test`
async function paid(customer: object, locale?: string): Promise<Sale> {
  const { _id } = await asked<{ _id: string }>('/appointments', {
    services: [{ serviceId: institute.services[0], staffId: institute.members[0] }],
    startsAt: wall('2026-12-05T14:00'),
    customer: { firstName: 'Anna', ...customer },
  })
  if (locale !== undefined)
    await sql`update customers set locale = ${locale} where institute_id = ${institute.id} and first_name = 'Anna'`.execute(t.db)
  return asked<Sale>(`/appointments/${_id}/till`, { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: 4200 }] })
}
/** Without the marks that keep words of two directions apart. */
const plainText = (words: string | undefined): string => (words ?? '').replace(/[\u2066-\u2069]/g, '')
const isPdf = (content: string | undefined): boolean => Buffer.from(content ?? '', 'base64').toString('latin1', 0, 5) === '%PDF-'

describe('whoever an invoice is issued for', () => {
  it.each([
    ['en', 'Invoice F-2026-0001 from', 'Credit note A-2026-0001 from'],
    ['fr', 'Facture F-2026-0001 de', 'Avoir A-2026-0001 de'],
    ['ar', 'فاتورة F-2026-0001 من', 'إشعار دائن A-2026-0001 من'],
  ])('is sent it as a PDF in their language, and the credit note of it: %s', async (locale, invoice, note) => {
    const to = address()
    const sale = await paid({ email: to }, locale)
    await t.drainJobs()
    const [first] = await t.mails(to)
    expect(first).toMatchObject({ kind: 'invoice', attachments: [{ filename: 'F-2026-0001.pdf', contentType: 'application/pdf' }] })
    expect(plainText(first?.subject)).toContain(invoice)
    expect(first?.html).toContain(`lang="${locale}"`)
    expect(isPdf(first?.attachments[0]?.content)).toBe(true)
    await asked(`/sales/${sale._id}/credit-notes`, {
      lines: [{ _id: sale.lines[0]?._id, amount: 1000 }],
      method: 'cash',
      reason: 'Too short',
    })
    await t.drainJobs()
    const letters = await t.mails(to)
    expect(letters.map(({ kind }) => kind).toSorted()).toEqual(['credit_note', 'invoice'])
    const credit = letters.find(({ kind }) => kind === 'credit_note')
    expect(plainText(credit?.subject)).toContain(note)
    expect(isPdf(credit?.attachments[0]?.content)).toBe(true)
  })

  it('is sent nothing where no address is known', async () => {
    await paid({ phone: '+33612345678' })
    await t.drainJobs()
    const { rows } = await sql`select from mails where institute_id = ${institute.id} and kind = 'invoice'`.execute(t.db)
    expect(rows).toEqual([])
  })

  it('who is a minor: the guardian whom the institute knows is sent it', async () => {
    const to = address()
    const own = address()
    const guardian = await asked<{ _id: string }>('/customers', { firstName: 'Iris', email: to })
    const child = await asked<{ _id: string }>('/customers', { firstName: 'Anna', email: own, birthday: '2012-05-01' })
    await sql`insert into customer_relations (institute_id, customer_id, related_id, kind, created_at) values (${institute.id}, ${child._id}, ${guardian._id}, 'guardian', now())`.execute(
      t.db,
    )
    await asked('/sales', {
      customerId: child._id,
      lines: [{ serviceId: institute.services[0], staffId: institute.members[0] }],
      payments: [{ method: 'cash', amount: 4200 }],
    })
    await t.drainJobs()
    expect([(await t.mails(to)).length, (await t.mails(own)).length]).toEqual([1, 0])
  })
})

it('whoever is sent an invoice is sent it once, however often the till is asked and the event is answered', async () => {
  const to = address()
  const { _id } = await asked<{ _id: string }>('/appointments', {
    services: [{ serviceId: institute.services[0], staffId: institute.members[0] }],
    startsAt: wall('2026-12-05T14:00'),
    customer: { firstName: 'Anna', email: to },
  })
  const again = { token: owner.token, headers: { 'idempotency-key': `till-${_id}` } }
  const body = { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: 4200 }] }
  await Promise.all(Array.from({ length: 3 }, () => t.inject('POST', `${base}/appointments/${_id}/till`, { ...again, body })))
  await t.drainJobs()
  const { rows } = await sql<{ id: number }>`select e.id::int8 as id from events e where e.kind = 'document.issued' and e.institute_id = ${
    institute.id
  }`.execute(t.db)
  expect(rows).toHaveLength(1)
  const answer = t.jobs['react']
  const payload = { eventId: Number(rows[0]?.id), reaction: 'document letters' }
  await Promise.all([answer?.(payload), answer?.(payload)])
  // Answered anew, as if what was noted of it were lost: the letter itself is known by its document.
  await sql`delete from reactions_done where event_id = ${payload.eventId} and reaction = 'document letters'`.execute(t.db)
  await Promise.all([answer?.(payload), answer?.(payload)])
  await t.drainJobs()
  expect((await t.mails(to)).map(({ kind }) => kind)).toEqual(['invoice'])
})
