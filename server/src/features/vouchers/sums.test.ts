/** Random cards and packages in five currencies: what was sold is what was used, is left, expired and was given back, to the minor unit, and the books agree. */
import type { Sale } from '@soigne/contract/sales'
import type { ClientPackage, ServicePackage } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { nextSession } from './sessions.ts'

const base = '/api/v1/secure/mysalon'
const start = '2026-12-05T08:00:00Z'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())

/** Whole numbers below `most`, the same for the same seed. */
function numbers(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

it('the price of a package is shared out to the last minor unit, whatever it is and in whatever order sessions come and go', () => {
  const pick = numbers(20_261_126)
  for (let turn = 0; turn < 3000; turn++) {
    const sessions = 2 + pick(99)
    const [amount, vat] = [1 + pick(turn % 3 === 0 ? sessions * 2 : 1_000_000), 0]
    const held = { left: sessions, leftAmount: amount, leftVat: vat + pick(amount) }
    const uses: { amount: number; vat: number }[] = []
    while (held.left > 0) {
      const back = uses.length > 0 && pick(4) === 0 ? uses.splice(pick(uses.length), 1)[0] : undefined
      const one = back ?? nextSession(held)
      const sign = back ? 1 : -1
      if (!back) uses.push(one)
      held.left += sign
      held.leftAmount += sign * one.amount
      held.leftVat += sign * one.vat
      expect(Math.min(one.amount, one.vat, held.leftAmount, held.leftVat)).toBeGreaterThanOrEqual(0)
    }
    expect([held.leftAmount, held.leftVat]).toEqual([0, 0])
  }
})

interface Place {
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<TestAnswer>
  institute: MadeInstitute
  customerId: string
}
async function placeIn(currency: string, countryCode: string): Promise<Place> {
  const owner: MadeUser = await makeUser(t.db, { role: 'isPro' })
  const institute = await makeInstitute(t.db, { ownerId: owner.id, currency, services: [{ name: 'Cut', active: 40, price: 4200 }] })
  await sql`update institutes set country_code = ${countryCode} where id = ${institute.id}`.execute(t.db)
  const ask: Place['ask'] = (method, path, body) => t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
  const { body } = await ask('POST', '/customers', { firstName: 'Anna', email: `${currency}@test.test` })
  return { ask, institute, customerId: String(body['_id']) }
}

/** What is right may be refused: nothing left, or more than that. */
const isFine = ({ status, text }: TestAnswer): boolean => {
  if (status >= 500 || status === 400) throw new Error(text)
  return status < 300
}

async function live({ ask, institute, customerId }: Place, pick: (most: number) => number): Promise<void> {
  const sales: Sale[] = []
  const sell = async (body: object): Promise<void> => {
    const answer = await ask('POST', '/sales', { customerId, ...body })
    if (isFine(answer)) sales.push(answer.body as unknown as Sale)
  }
  const cards = async () => sales.flatMap(({ lines }) => lines.flatMap(({ giftCardId }) => giftCardId ?? []))
  const service = institute.services[0] ?? ''
  for (let turn = 0; turn < 26; turn++) {
    const amount = 1 + pick(50_000)
    const kind = turn < 3 ? turn : pick(6)
    if (kind === 0) await sell({ lines: [{ giftCard: true, amount }], payments: [{ method: 'cash', amount }] })
    if (kind === 1) {
      const fields = { name: 'Some', sessions: 2 + pick(6), months: 1 + pick(3), price: 1 + pick(9000), serviceIds: [service] }
      const { body } = await ask('POST', '/packages', fields)
      const { _id, price } = body as unknown as ServicePackage
      await sell({ lines: [{ packageId: _id }], payments: [{ method: 'terminal', amount: price.amount }] })
    }
    if (kind === 2 || kind === 3) {
      const all = await cards()
      const giftCardId = all[pick(all.length)]
      await sell({ lines: [{ serviceId: service, amount }], payments: [{ method: 'gift_card', giftCardId, amount }] })
    }
    if (kind === 4) {
      const { items } = (await ask('GET', `/customers/${customerId}/packages`)).body as unknown as { items: ClientPackage[] }
      const fromPackage = items[pick(items.length)]?._id
      if (fromPackage) await sell({ lines: [{ serviceId: service, fromPackage }], payments: [] })
    }
    if (kind === 5) {
      const sale = sales[pick(sales.length)]
      const body = { lines: [{ _id: sale?.lines[0]?._id }], reason: 'Not as agreed', method: 'cash' }
      isFine(await ask('POST', `/sales/${sale?._id}/credit-notes`, body))
    }
  }
}

async function sums(table: 'gift_card_moves' | 'client_package_moves', instituteId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; amount: string }>`select kind, sum(amount) as amount from ${sql.table(table)}
    where institute_id = ${instituteId} group by 1 union all select 'left', coalesce(sum(amount), 0) from ${sql.table(table)} where institute_id = ${instituteId}`.execute(
    t.db,
  )
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, Number(amount)]))
}

async function documented(instituteId: string) {
  const { rows } = await sql<Record<'cards' | 'cardsBack' | 'packages' | 'packagesBack' | 'paid', string>>`select
      (select coalesce(sum(amount), 0) from document_lines where institute_id = ${instituteId} and kind = 'gift_card' and amount > 0) as cards,
      (select coalesce(-sum(amount), 0) from document_lines where institute_id = ${instituteId} and kind = 'gift_card' and amount < 0) as "cardsBack",
      (select coalesce(sum(amount), 0) from document_lines where institute_id = ${instituteId} and kind = 'package' and amount > 0) as packages,
      (select coalesce(-sum(amount), 0) from document_lines where institute_id = ${instituteId} and kind = 'package' and amount < 0) as "packagesBack",
      (select coalesce(sum(case kind when 'refund' then -amount else amount end), 0) from payments where institute_id = ${instituteId} and method = 'gift_card') as paid`.execute(
    t.db,
  )
  const [row] = rows
  if (!row) throw new Error('no sums')
  const { cards, cardsBack, packages, packagesBack, paid } = row
  return {
    cards: Number(cards),
    cardsBack: Number(cardsBack),
    packages: Number(packages),
    packagesBack: Number(packagesBack),
    paid: Number(paid),
  }
}

it.each([
  ['EUR', 'FR'],
  ['CHF', 'CH'],
  ['MAD', 'MA'],
  ['TND', 'TN'],
  ['JPY', 'JP'],
])('what was sold in %s is what was used, is left, expired and was given back [P-10]', async (currency, countryCode) => {
  t.clock.set(start)
  const place = await placeIn(currency, countryCode)
  const pick = numbers(20_261_126 + currency.charCodeAt(0))
  await live(place, pick)
  t.clock.set('2027-02-20T08:00:00Z')
  await t.jobs['end_vouchers']?.({})
  const card = await sums('gift_card_moves', place.institute.id)
  const of = (book: Record<string, number>, ...kinds: string[]): number => kinds.reduce((sum, kind) => sum + (book[kind] ?? 0), 0)
  const held = await sums('client_package_moves', place.institute.id)
  // As documents and payments tell it.
  const told = await documented(place.institute.id)
  expect(told.cards).toBeGreaterThan(0)
  expect(told.cards).toBe(of(card, 'left') + told.paid + told.cardsBack - of(card, 'expired'))
  expect(told.packages).toBeGreaterThan(0)
  expect(told.packages).toBe(of(held, 'left') - of(held, 'used', 'undone', 'expired') + told.packagesBack)
  const { rows } = await sql<{ account: string; amount: string }>`select account, -sum(amount) as amount from ledger_lines
    where institute_id = ${place.institute.id} and account in ('gift_cards', 'packages') group by 1`.execute(t.db)
  const owed = Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]))
  expect(owed['gift_cards'] ?? 0).toBe(of(card, 'left'))
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})
