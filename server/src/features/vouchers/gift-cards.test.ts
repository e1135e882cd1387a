/** Gift cards over the counter: sold, used in parts, given back, gone at the end of their last day, and never twice. */
import type { Sale, TillDay } from '@soigne/contract/sales'
import type { GiftCard } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { detailsOf, refused } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { codeFrom, groupedCode, newCode } from './code.ts'

const base = '/api/v1/secure/mysalon'
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-12-05T08:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set('2026-12-05T08:00:00Z')
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, services: [{ name: 'Cut', active: 40, price: 4200 }] })
})
afterEach(async () => {
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const cash = (amount: number) => ({ method: 'cash', amount })
const card = (giftCardId: string, amount: number) => ({ method: 'gift_card', giftCardId, amount })
const cut = (amount = 4200) => ({ serviceId: institute.services[0], amount })
const sell = (lines: object[], payments: object[], more: object = {}) => ask('POST', '/sales', { lines, payments, ...more })
const sold = async (amount: number): Promise<{ sale: Sale; id: string }> => {
  const sale = await told<Sale>(sell([{ giftCard: true, amount }], [cash(amount)]))
  return { sale, id: sale.lines[0]?.giftCardId ?? '' }
}
const codeOf = async (id: string): Promise<string> =>
  (await sql<{ code: string }>`select code from gift_cards where id = ${id}`.execute(t.db)).rows[0]?.code ?? ''
const found = async (id: string): Promise<GiftCard> => {
  const code = groupedCode(await codeOf(id)).toLowerCase()
  const { items } = await told<{ items: GiftCard[] }>(ask('GET', `/gift-cards?code=${encodeURIComponent(` ${code} `)}`), 200)
  if (!items[0]) throw new Error('the card was not found')
  return items[0]
}
const left = async (id: string): Promise<number> => (await found(id)).left.amount
const accounts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ account: string; amount: string }>`select account, sum(amount) as amount from ledger_lines
    where institute_id = ${institute.id} group by 1 having sum(amount) <> 0`.execute(t.db)
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]))
}
const back = (sale: Sale, body: object) => ask('POST', `/sales/${sale._id}/credit-notes`, { reason: 'Not as agreed', ...body })

describe('a code', () => {
  it('is another each time, reads as it is typed, and with one character wrong or two exchanged is none', () => {
    const codes = Array.from({ length: 300 }, newCode)
    expect(new Set(codes).size).toBe(300)
    for (const code of codes) {
      expect(codeFrom(groupedCode(code).toLowerCase().replaceAll('0', 'o'))).toBe(code)
      const wrong = code.startsWith('7') ? `8${code.slice(1)}` : `7${code.slice(1)}`
      expect(codeFrom(wrong)).toBeNull()
      const [first = '', second = '', ...rest] = code
      if (first !== second) expect(codeFrom([second, first, ...rest].join(''))).toBeNull()
    }
    for (const none of ['', '7', 'I'.repeat(16), 'é'.repeat(16), `${codes[0]}7`]) expect(codeFrom(none)).toBeNull()
  })
})

describe('a gift card', () => {
  it('is owed when it is sold, without VAT, earned with VAT when it is used in parts, and its rest is shown', async () => {
    const { sale, id } = await sold(10_000)
    expect(sale).toMatchObject({ number: 'F-2026-0001', total: { amount: 10_000 }, vat: { amount: 0 } })
    expect(sale.lines).toMatchObject([{ kind: 'gift_card', vat: 0, vatBasisPoints: 0, spent: 0 }])
    expect(await accounts()).toEqual({ cash: 10_000, gift_cards: -10_000 })
    expect(await found(id)).toMatchObject({ left: { amount: 10_000 }, validUntil: '2031-12-05', state: 'valid', client: null })
    const first = await told<Sale>(sell([cut()], [card(id, 4200)]))
    expect(first).toMatchObject({ total: { amount: 4200 }, vat: { amount: 700 }, methods: ['gift_card'] })
    expect(await left(id)).toBe(5800)
    const over = await sell([cut(6000)], [card(id, 6000)])
    expect([refused(over), detailsOf(over)]).toMatchObject([[409, 'more_than_left'], { left: 5800 }])
    await told(sell([cut(6000)], [card(id, 5800), cash(200)]))
    expect(await found(id)).toMatchObject({ left: { amount: 0 }, state: 'used' })
    expect(await accounts()).toEqual({ cash: 10_200, revenue: -8500, vat: -1700 })
    const day = await told<TillDay>(ask('GET', '/sales/till'), 200)
    expect(day).toMatchObject({ cash: 10_200, terminal: 0, online: 0, giftCards: 10_000 })
    const list = await told<{ totals: object }>(ask('GET', '/sales?period=today'), 200)
    expect(list.totals).toMatchObject({ taken: { amount: 10_200 }, payments: 2 })
  })

  it('is not found by a part of its code, by another institute, nor sold without an amount or for another card', async () => {
    const { id } = await sold(5000)
    const code = await codeOf(id)
    expect(await told(ask('GET', `/gift-cards?code=${code.slice(0, 15)}`), 200)).toEqual({ items: [] })
    expect(await told(ask('GET', '/gift-cards'), 200)).toEqual({ items: [] })
    const stranger = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: stranger.id })
    const theirs = await t.inject('GET', `${base}/gift-cards?code=${code}`, { token: stranger.token })
    expect(theirs.body).toEqual({ items: [] })
    const use = { lines: [{ giftCard: true, amount: 100 }], payments: [card(id, 100)] }
    expect(refused(await t.inject('POST', `${base}/sales`, { token: stranger.token, body: use }))).toEqual([404, 'not_found'])
    for (const [lines, payments] of [
      [[{ giftCard: true }], [cash(1)]],
      [[{ giftCard: true, amount: 0 }], []],
      [[{ giftCard: true, amount: 2000, quantity: 2 }], [cash(2000)]],
      [[{ giftCard: true, amount: 5000 }], [card(id, 5000)]],
    ] as const)
      expect(refused(await sell([...lines], [...payments]))).toEqual([400, 'bad_input'])
    expect(await left(id)).toBe(5000)
  })

  it('never gives more than it holds, however many tills want it at once', async () => {
    const { id } = await sold(5000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => sell([cut(2000)], [card(id, 2000)])))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409, 409, 409])
    expect(await left(id)).toBe(1000)
    const move = sql`insert into gift_card_moves (institute_id, gift_card_id, kind, amount, sale_id, at)
      select institute_id, id, 'used', -600, sale_id, now() from gift_cards where id = ${id}`
    const both = await Promise.allSettled([t.db, t.db].map((db) => db.transaction().execute((one) => move.execute(one))))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await verifyLedgers(t.db)).faults).not.toEqual([])
    await sql`delete from gift_card_moves where amount = -600`.execute(t.db)
  })

  it('gets back what was paid with it when that sale is taken back, before anything goes another way', async () => {
    const { id } = await sold(5000)
    const sale = await told<Sale>(sell([cut(8000)], [card(id, 5000), cash(3000)]))
    const line = sale.lines[0]?._id
    const first = await told<Sale>(back(sale, { lines: [{ _id: line, amount: 1000 }], method: 'cash' }))
    expect(first.payments.at(-1)).toMatchObject({ kind: 'refund', method: 'gift_card', amount: 1000 })
    expect(await left(id)).toBe(1000)
    expect(refused(await back(sale, { lines: [{ _id: line }], method: 'gift_card' }))).toEqual([409, 'more_than_left'])
    const rest = await told<Sale>(back(sale, { lines: [{ _id: line }], method: 'cash' }))
    expect(rest.payments.slice(-2)).toMatchObject([
      { method: 'gift_card', amount: 4000 },
      { method: 'cash', amount: 3000 },
    ])
    expect(await left(id)).toBe(5000)
    expect(await accounts()).toEqual({ cash: 5000, gift_cards: -5000 })
  })

  it('is emptied by a credit note, of which only what was not used goes back', async () => {
    const { sale, id } = await sold(5000)
    await told(sell([cut(1200)], [card(id, 1200)]))
    const line = sale.lines[0]?._id
    expect(refused(await back(sale, { lines: [{ _id: line, amount: 5000 }], method: 'cash' }))).toEqual([409, 'more_than_left'])
    const note = await told<Sale>(back(sale, { lines: [{ _id: line }], method: 'cash' }))
    expect(note).toMatchObject({ refunded: { amount: 3800 }, can: { refund: false } })
    expect(note.lines).toMatchObject([{ refunded: 3800, spent: 1200 }])
    expect(refused(await sell([cut(1)], [card(id, 1)]))).toEqual([409, 'more_than_left'])
    expect(await accounts()).toEqual({ cash: 1200, revenue: -1000, vat: -200 })
  })

  it('ends after its last day, by the rule of when it was sold, and what was left is posted once', async () => {
    expect(await told(ask('PUT', '/gift-cards/rule', { years: 1 }), 200)).toEqual({ years: 1 })
    const { id } = await sold(5000)
    await told(ask('PUT', '/gift-cards/rule', { years: 10 }), 200)
    const used = await told<Sale>(sell([cut(2000)], [card(id, 2000)]))
    expect((await found(id)).validUntil).toBe('2027-12-05')
    // Still the fifth in Paris.
    t.clock.set('2027-12-05T22:30:00Z')
    await t.jobs['end_vouchers']?.({})
    expect(await left(id)).toBe(3000)
    t.clock.set('2027-12-05T23:30:00Z')
    expect(refused(await sell([cut(100)], [card(id, 100)]))).toEqual([409, 'voucher_expired'])
    await Promise.all([t.jobs['end_vouchers']?.({}), t.jobs['end_vouchers']?.({})])
    await t.jobs['end_vouchers']?.({})
    expect(await found(id)).toMatchObject({ left: { amount: 0 }, state: 'expired' })
    expect(await accounts()).toEqual({ cash: 5000, revenue: -1667, vat: -333, expired: -3000 })
    // Nothing goes back onto a card that is over.
    const note = await told<Sale>(back(used, { lines: [{ _id: used.lines[0]?._id }], method: 'cash' }))
    expect(note.payments.at(-1)).toMatchObject({ method: 'cash', amount: 2000 })
  })

  it('is printed with its code in three languages, the same bytes each time', async () => {
    const { id } = await sold(5000)
    const pdf = (language: string) =>
      t.inject('GET', `${base}/gift-cards/${id}/card.pdf`, { token: owner.token, headers: { 'accept-language': language } })
    const [first, again, arabic] = [await pdf('en'), await pdf('en'), await pdf('ar')]
    expect([first.status, arabic.status]).toEqual([200, 200])
    expect(first.text.startsWith('%PDF')).toBe(true)
    expect(first.text).toBe(again.text)
    expect(first.text).not.toBe(arabic.text)
  })
})
