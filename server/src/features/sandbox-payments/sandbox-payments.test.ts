import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dayMs, minuteMs } from '@soigne/contract/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PageOrder, ProviderWord } from '#/features/payments/service.ts'
import { readSettings } from '#/settings.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { sandboxProvider, settle } from './service.ts'
import { keepHouse } from './telling.ts'

interface Heard {
  bytes: Buffer
  headers: IncomingHttpHeaders
}

let t: TestApp
let receiver: Server
let heard: Heard[] = []
let answerWith = 200
let house: TestApp['context']
let provider: ReturnType<typeof sandboxProvider>
let count = 0

beforeAll(async () => {
  t = await openTestApp()
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      heard.push({ bytes: Buffer.concat(parts), headers: request.headers })
      response.writeHead(request.url === '/api/v1/webhooks/sandbox' && request.method === 'POST' ? answerWith : 404).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  house = { ...t.context, publicUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` }
  provider = sandboxProvider(house)
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await t.close()
})
beforeEach(async () => {
  await t.ownerPool.query(`update sandbox_pages set state = 'expired' where state = 'open'`)
  await t.ownerPool.query('update sandbox_words set due_at = null')
  heard = []
  answerWith = 200
})

const order = (given: Partial<PageOrder> = {}): PageOrder => ({
  checkoutId: `checkout ${++count}`,
  instituteId: '00000000-0000-7000-8000-000000000000',
  accountId: null,
  amount: 4550,
  currency: 'EUR',
  method: 'card',
  description: 'Maison Lila, Friday 20 November at 14:00',
  email: 'camille@example.test',
  locale: 'en',
  returnUrl: 'http://soigne.test/back?payment=1',
  until: t.clock.now() + 30 * minuteMs,
  keepsCard: false,
  ...given,
})
const opened = async (given: Partial<PageOrder> = {}) => {
  const asked = order(given)
  const page = await provider.openPage(asked, `key ${asked.checkoutId}`)
  return { ...page, checkoutId: asked.checkoutId, path: new URL(page.url).pathname }
}
const press = (path: string, form: Record<string, string>) =>
  t.inject('POST', path, {
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const words = (): ProviderWord[] => heard.map(({ bytes, headers }) => provider.readWord(bytes, headers, t.clock.now()))
/** Lets the sandbox tell what is due so much later. */
const later = async (ms: number): Promise<void> => {
  t.clock.set(t.clock.now() + ms)
  await keepHouse(house)
}

describe('a page', () => {
  it('is the same for the same key, and unguessable', async () => {
    const asked = order()
    const [one, two] = await Promise.all([provider.openPage(asked, 'same'), provider.openPage(asked, 'same')])
    expect(two).toEqual(one)
    expect(new URL(one.url).pathname).toMatch(/^\/sandbox\/pay\/[0-9a-f-]{36}\.[\w-]{43}$/)
    const path = new URL(one.url).pathname
    const other = await opened()
    expect((await t.inject('GET', path)).status).toBe(200)
    // The mark of another page.
    expect((await t.inject('GET', `${path.slice(0, -43)}${other.path.slice(-43)}`)).status).toBe(404)
    expect((await press(`${path.slice(0, -43)}${other.path.slice(-43)}`, { answer: 'pay' })).status).toBe(404)
    expect((await t.inject('GET', '/sandbox/anything')).status).toBe(404)
  })

  it('says what is paid and that no real money moves, in the language of the order', async () => {
    const { path } = await opened()
    const page = await t.inject('GET', path)
    expect(page.text).toContain('no real money moves')
    expect(page.text).toContain('€45.50')
    expect(page.text).toContain('Maison Lila, Friday 20 November at 14:00')
    for (const name of ['Pay', 'Decline', 'Abandon']) expect(page.text).toContain(`>${name}</button>`)
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await t.inject('GET', (await opened({ locale: 'ar' })).path)).text).toContain('<html lang="ar" dir="rtl">')
    expect((await t.inject('GET', (await opened({ locale: 'fr', method: 'paypal' })).path)).text).toContain('>Payer</button>')
    const sly = await opened({ description: '<img src=x onerror=alert(1)>' })
    expect((await t.inject('GET', sly.path)).text).not.toContain('<img')
  })

  it.each([
    ['pay', 'good', 'paid'],
    ['pay', 'declined', 'failed'],
    ['pay', 'outdated', 'failed'],
    ['decline', 'good', 'failed'],
    ['abandon', 'good', 'cancelled'],
  ])('%s with the card "%s" is %s, and leads back', async (answer, card, state) => {
    const { path, pageId, checkoutId } = await opened()
    expect(await provider.pageState(pageId, null)).toEqual({ state: 'open' })
    const answered = await press(path, { answer, card })
    expect([answered.status, answered.headers['location']]).toEqual([303, 'http://soigne.test/back?payment=1'])
    expect((await provider.pageState(pageId, null)).state).toBe(state)
    await later(0)
    expect(words()).toMatchObject([{ kind: 'page', checkoutId, page: { state } }])
    expect((await t.inject('GET', path)).text).not.toContain('value="pay"')
  })

  it.each(['paypal', 'klarna'] as const)('of %s is approved without a card', async (method) => {
    const { path, pageId } = await opened({ method })
    const { text } = await t.inject('GET', path)
    expect(text).not.toContain('type="radio"')
    // 45.50 does not divide by three: what is left over is paid first.
    expect(text.includes('€15.17 today, €15.17 after 30 days and €15.16 after 60 days')).toBe(method === 'klarna')
    await press(path, { answer: 'pay' })
    expect(await provider.pageState(pageId, null)).toMatchObject({ state: 'paid', amount: 4550, currency: 'EUR' })
  })

  it.each([
    ['confirm', 'paid'],
    ['refuse', 'failed'],
  ])('asks for 3-D Secure: %s is %s', async (answer, state) => {
    const { path, pageId } = await opened()
    const asked = await press(path, { answer: 'pay', card: 'secure' })
    expect([asked.status, asked.headers['location']]).toEqual([303, `${path}/confirm`])
    expect(await provider.pageState(pageId, null)).toEqual({ state: 'open' })
    expect((await t.inject('GET', `${path}/confirm`)).text).toContain('>Confirm</button>')
    expect((await press(`${path}/confirm`, { answer })).status).toBe(303)
    expect((await provider.pageState(pageId, null)).state).toBe(state)
  })

  it('pressed twice at once pays once', async () => {
    const { path, checkoutId } = await opened()
    const answers = await Promise.all([1, 2, 3, 4].map(() => press(path, { answer: 'pay', card: 'good' })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    await press(path, { answer: 'abandon' })
    await later(0)
    expect(words()).toMatchObject([{ checkoutId, page: { state: 'paid' } }])
  })

  it('on which nothing was pressed is over at its end', async () => {
    const { path, pageId, checkoutId } = await opened()
    await later(30 * minuteMs)
    expect(words()).toMatchObject([{ kind: 'page', checkoutId, page: { state: 'expired' } }])
    await press(path, { answer: 'pay' })
    expect(await provider.pageState(pageId, null)).toEqual({ state: 'expired' })
  })

  it('takes nothing once it was closed, and says when it was paid before', async () => {
    const closed = await opened()
    expect(await provider.closePage(closed.pageId, null)).toEqual({ state: 'expired' })
    await press(closed.path, { answer: 'pay' })
    expect(await provider.pageState(closed.pageId, null)).toEqual({ state: 'expired' })
    const paid = await opened()
    await press(paid.path, { answer: 'pay' })
    expect(await provider.closePage(paid.pageId, null)).toMatchObject({ state: 'paid', amount: 4550 })
  })
})

describe('a refund', () => {
  const paidPage = async (given: Partial<PageOrder> = {}): Promise<string> => {
    const { path, pageId } = await opened(given)
    await press(path, { answer: 'pay' })
    const state = await provider.pageState(pageId, null)
    if (state.state !== 'paid') throw new Error('not paid')
    return state.reference
  }

  it('is the same for the same key, and never more than was paid', async () => {
    const reference = await paidPage()
    const asked = { refundId: 'r1', accountId: null, reference, amount: 3000, currency: 'EUR' }
    const [one, two] = await Promise.all([provider.refund(asked, 'refund 1'), provider.refund(asked, 'refund 1')])
    expect(one).toMatchObject({ state: 'done' })
    expect(two).toEqual(one)
    await expect(provider.refund({ ...asked, refundId: 'r2', amount: 1551 }, 'refund 2')).rejects.toThrow(/not so much/)
    await provider.refund({ ...asked, refundId: 'r3', amount: 1550 }, 'refund 3')
    await expect(provider.refund({ ...asked, reference: 'nobody' }, 'refund 4')).rejects.toThrow(/no payment/)
    await later(0)
    expect(words().filter(({ kind }) => kind === 'refund')).toMatchObject([
      { refundId: 'r1', state: 'done' },
      { refundId: 'r3', state: 'done' },
    ])
  })

  it('of another way than a card is done with its word', async () => {
    const reference = await paidPage({ method: 'klarna' })
    const asked = { refundId: 'r5', accountId: null, reference, amount: 100, currency: 'EUR' }
    expect(await provider.refund(asked, 'refund 5')).toMatchObject({ state: 'waiting' })
  })
})

describe('a word', () => {
  it('is told at once and once more, the same bytes under another signature', async () => {
    const { path } = await opened()
    await press(path, { answer: 'pay' })
    await later(0)
    await later(4999)
    expect(heard).toHaveLength(1)
    await later(1)
    await later(dayMs)
    expect(heard.map(({ bytes }) => bytes.toString())).toEqual([heard[0]?.bytes.toString(), heard[0]?.bytes.toString()])
    expect(heard[1]?.headers['sandbox-signature']).not.toBe(heard[0]?.headers['sandbox-signature'])
  })

  it('is told again with growing pauses while nobody listens, for a day', async () => {
    answerWith = 503
    const { path } = await opened()
    await press(path, { answer: 'pay' })
    const begun = t.clock.now()
    const at: number[] = []
    await keepHouse(house)
    for (let tried = 0; tried < 100; tried++) {
      const due = await t.ownerPool.query<{ due: string | null }>('select min(due_at)::text as due from sandbox_words')
      const next = due.rows[0]?.due ?? null
      if (next === null) break
      at.push(Date.parse(next) - begun)
      t.clock.set(Date.parse(next))
      await keepHouse(house)
    }
    expect(at.slice(0, 4)).toEqual([5000, 15_000, 35_000, 75_000])
    expect(at.at(-1)).toBeGreaterThan(dayMs)
    expect(at.at(-1)).toBeLessThan(dayMs + 61 * minuteMs)
    expect(heard).toHaveLength(at.length + 1)
    answerWith = 200
    const other = await opened()
    await press(other.path, { answer: 'pay' })
    answerWith = 500
    await later(0)
    answerWith = 200
    await later(5000)
    expect(heard.length).toBe(at.length + 3)
  })

  it('comes late where a trial wants it so: a refund before its payment', async () => {
    const late = { ...house, settings: { ...house.settings, sandboxWords: 'late' as const } }
    const slow = sandboxProvider(late)
    const page = await slow.openPage(order(), 'late page')
    await settle(late, page.pageId, 'paid')
    const state = await slow.pageState(page.pageId, null)
    if (state.state !== 'paid') throw new Error('not paid')
    await slow.refund({ refundId: 'r9', accountId: null, reference: state.reference, amount: 1, currency: 'EUR' }, 'late refund')
    await later(0)
    await later(8000)
    expect(words().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['refund', 'page']))
    expect(words()[0]).toMatchObject({ kind: 'refund', refundId: 'r9' })
  })

  it('that is forged, stale, cut short or unsigned is refused', async () => {
    const { path } = await opened()
    await press(path, { answer: 'pay' })
    await later(0)
    const [word] = heard
    if (!word) throw new Error('nothing was told')
    const now = t.clock.now()
    const read = (bytes: Uint8Array, headers: Record<string, string | string[] | undefined>, at: number) => () =>
      provider.readWord(bytes, headers, at)
    expect(read(word.bytes, word.headers, now)()).toMatchObject({ kind: 'page' })
    expect(read(word.bytes, word.headers, now + 5 * minuteMs)()).toMatchObject({ kind: 'page' })
    expect(read(word.bytes, word.headers, now + 5 * minuteMs + 1)).toThrow(/another time/)
    expect(read(word.bytes, word.headers, now - 5 * minuteMs - 1)).toThrow(/another time/)
    expect(read(word.bytes.subarray(0, -1), word.headers, now)).toThrow(/signature/)
    expect(read(Buffer.from(word.bytes.toString().replace('4550', '4551')), word.headers, now)).toThrow(/signature/)
    expect(read(word.bytes, {}, now)).toThrow(/signature/)
    const signature = String(word.headers['sandbox-signature'])
    const redated = signature.replace(/t=\d+/, `t=${now + 1}`)
    for (const bad of [redated, signature.slice(0, -1), 'v1=00', `${signature},v1=00`])
      expect(read(word.bytes, { 'sandbox-signature': bad }, now)).toThrow(/signature/)
    const stranger = sandboxProvider({ ...house, settings: { ...house.settings, secret: 'x'.repeat(40) } })
    expect(() => stranger.readWord(word.bytes, word.headers, now)).toThrow(/signature/)
  })
})

it('has no sandbox in production', () => {
  const settings = readSettings({
    MODE: 'production',
    PUBLIC_URL: 'https://soigne.example',
    TRUST_PROXY: '127.0.0.1',
    SECRET: 'a'.repeat(32),
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'Soigné <bonjour@soigne.example>',
    DATA_DIR: house.settings.dataDir,
  })
  expect(() => sandboxProvider({ ...house, settings })).toThrow(/production/)
})
