/** Cards that the sandbox keeps on its page, and charges while their owner is away: over HTTP, told to the product twice, and late. */
import { sql } from 'kysely'
import { minuteMs } from '@soigne/contract/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageOrder, PaymentProvider, ProviderWord } from '#/platform/payment-provider.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { sandboxProvider } from './service.ts'
import { bytesOf, keyOf, signatureHeader, signatureOf } from './words.ts'

let t: TestApp
let provider: PaymentProvider
let count = 0
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  provider = sandboxProvider(t.context)
})
afterAll(() => t.close())

const order = (given: Partial<PageOrder> = {}): PageOrder => ({
  checkoutId: `kept ${++count}`,
  instituteId: '00000000-0000-7000-8000-000000000000',
  accountId: null,
  amount: 0,
  currency: 'EUR',
  method: 'card',
  description: 'Maison Lila',
  email: null,
  locale: 'en',
  returnUrl: 'http://soigne.test/back',
  until: t.clock.now() + 30 * minuteMs,
  keepsCard: true,
  ...given,
})
const press = (path: string, form: Record<string, string>) =>
  t.inject('POST', path, {
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
async function opened(given: Partial<PageOrder> = {}) {
  const asked = order(given)
  const { pageId, url } = await provider.openPage(asked, asked.checkoutId)
  return { pageId, path: new URL(url).pathname, ...asked }
}
async function keptCard(card: string): Promise<string> {
  const { path, pageId } = await opened()
  const answered = await press(path, { answer: 'keep', card })
  const next = String(answered.headers['location'])
  if (next.startsWith('/sandbox')) expect((await press(next, { answer: 'confirm' })).status).toBe(303)
  const state = await provider.pageState(pageId, null)
  if (state.state !== 'paid' || !state.card) throw new Error('no card was kept')
  return state.card.token
}
const charge = (token: string, key: string, amount = 2100) =>
  provider.charge(
    {
      checkoutId: key,
      instituteId: '00000000-0000-7000-8000-000000000000',
      accountId: null,
      token,
      amount,
      currency: 'EUR',
      description: 'Maison Lila',
    },
    key,
  )
async function wordsOf(checkoutId: string): Promise<ProviderWord[]> {
  const { rows } = await sql<{ id: string; happenedAt: string; body: Record<string, unknown> }>`
    select id, to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "happenedAt", body from sandbox_words
    where body ->> 'checkoutId' = ${checkoutId} order by id`.execute(t.db)
  const key = keyOf(t.context.settings.secret, 'words')
  return rows.map((row) => {
    const bytes = bytesOf({ ...row, told: 0, failed: 0 })
    return provider.readWord(bytes, { [signatureHeader]: signatureOf(key, bytes, t.clock.now()) }, t.clock.now())
  })
}

describe('a page that keeps a card', () => {
  it('says that nothing is paid now, and what the card does later', async () => {
    const { path } = await opened()
    const page = await t.inject('GET', path)
    expect(page.text).toContain('To pay now')
    expect(page.text).toContain('>Keep this card</button>')
    expect(page.text).toContain('Card that asks later')
    expect((await t.inject('GET', (await opened({ amount: 1260 })).path)).text).toContain('>Pay</button>')
    expect((await t.inject('GET', (await opened({ amount: 1260, keepsCard: false })).path)).text).not.toContain('asks later')
  })

  it.each([
    ['good', /^card_good_/],
    ['empty', /^card_empty_/],
    ['secure', /^card_good_/],
    ['asking', /^card_asking_/],
  ])('with the card "%s" says its name, brand and last four', async (card, token) => {
    expect(await keptCard(card)).toMatch(token)
  })

  it('keeps none that is declined, refused at the bank or given up', async () => {
    for (const form of [{ answer: 'keep', card: 'declined' }, { answer: 'abandon' }, { answer: 'decline', card: 'good' }]) {
      const { path, pageId } = await opened()
      await press(path, form as unknown as Record<string, string>)
      expect(await provider.pageState(pageId, null)).not.toHaveProperty('card')
    }
    const { path, pageId } = await opened()
    await press(String((await press(path, { answer: 'keep', card: 'secure' })).headers['location']), { answer: 'refuse' })
    expect(await provider.pageState(pageId, null)).toEqual({ state: 'failed' })
  })
})

describe('a charge', () => {
  it('is the same for the same key, told once, and can be given back', async () => {
    const token = await keptCard('good')
    const [one, two] = await Promise.all([charge(token, 'once'), charge(token, 'once')])
    expect(one).toMatchObject({ state: 'paid', amount: 2100, currency: 'EUR' })
    expect(two).toEqual(one)
    expect(await wordsOf('once')).toMatchObject([{ kind: 'charge', checkoutId: 'once', charge: one }])
    const reference = one.state === 'paid' ? one.reference : ''
    const back = { refundId: 'back', accountId: null, reference, amount: 2100, currency: 'EUR' }
    expect(await provider.refund(back, 'back')).toMatchObject({ state: 'done' })
    await expect(provider.refund({ ...back, refundId: 'more', amount: 1 }, 'more')).rejects.toThrow(/not so much/)
  })

  it.each([
    ['asking', 'asks'],
    ['empty', 'failed'],
  ] as const)('of a card that is "%s": %s, and nothing is taken', async (card, state) => {
    const token = await keptCard(card)
    expect(await charge(token, `no ${card}`)).toEqual({ state })
    expect(await charge(token, `no ${card}`)).toEqual({ state })
    expect(await wordsOf(`no ${card}`)).toMatchObject([{ kind: 'charge', charge: { state } }])
  })

  it('of a card it never kept is none', async () => {
    await expect(charge('nobody', 'nobody')).rejects.toThrow(/no card/)
  })
})
