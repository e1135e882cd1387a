/** Booking where something is paid first: from the hold over the page of a provider to its word, and what cannot be done around it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { hold, holdsPath, later, overlaps, readVisit, refused, tryConfirm, tryHold, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let holdId: string
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  t.payments.fall(false)
  institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }], cancelWindow: 1440, rescheduleWindow: 120 })
  await asks('fixed', 1500)
  client = await makeUser(t.db)
  holdId = (await hold(t, client, institute, { startsAt: ten }))._id
})

const asks = (kind: 'none' | 'fixed' | 'percent', value: number | null = null, payAtSalon = true) =>
  sql`update institutes set deposit_kind = ${kind}, deposit_amount = ${kind === 'fixed' ? value : null}, deposit_percent = ${kind === 'percent' ? value : null},
    pay_at_salon = ${payAtSalon}, payment_methods = '{card,paypal}' where id = ${institute.id}`.execute(t.db)
const tryBook = (more: { pay?: string; paymentMethod?: string; key?: string; returnTo?: string; by?: MadeUser; holdId?: string } = {}) => {
  const { key, by = client, ...body } = more
  return t.inject('POST', visitsPath, {
    token: by.token,
    body: { holdId, ...body },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}
const paymentOf = async (id = holdId): Promise<TestAnswer['body']> =>
  (await t.inject('GET', `${holdsPath}/${id}/payment`, { token: client.token })).body
const checkoutId = async (): Promise<string> => String((await paymentOf())['checkout']?.['_id'])
let words = 0
/** What its visitor did, told by a signed word. */
async function tells(id: string, how: 'paid' | 'failed' | 'cancelled' | 'expired', more: { amount?: number; currency?: string } = {}) {
  const page = t.payments.ends(id, how, more)
  const { payload, headers } = t.payments.sign({ id: `w${++words}`, at: t.clock.now(), kind: 'page', checkoutId: id, page })
  return t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })
}
const paymentsOf = async (id = holdId) =>
  (await sql`select kind, method, amount from payments where sale_id = ${id} order by at, id`.execute(t.db)).rows
const isBalanced = async (): Promise<void> => {
  expect((await verifyLedgers(t.db)).faults).toEqual([])
  expect(await overlaps(t.db)).toBe(0)
}

describe('what is paid first', () => {
  it.each([
    ['none', null, true, 0],
    ['fixed', 1500, true, 1500],
    ['fixed', 9900, true, 5200],
    ['percent', 30, true, 1560],
    ['percent', 33, true, 1716],
    ['percent', 100, true, 5200],
    ['none', null, false, 5200],
    ['fixed', 1500, false, 5200],
  ] as const)('by the rule %s %s, pay at the salon %s: %i', async (kind, value, payAtSalon, amount) => {
    await asks(kind, value, payAtSalon)
    expect(await paymentOf()).toMatchObject({
      deposit: { amount, currency: 'EUR' },
      payAtSalon,
      methods: ['card', 'paypal'],
      booked: false,
    })
    const booked = await tryBook()
    expect([booked.status, booked.body['status'], booked.body['payment'] !== undefined]).toEqual([201, 'pending', amount > 0])
    expect((await paymentOf())['checkout']).toEqual(
      amount > 0 ? expect.objectContaining({ state: 'open', amount: { amount, currency: 'EUR' }, method: 'card' }) : null,
    )
  })

  it('is nothing of a visit that costs nothing', async () => {
    const free = await makeInstitute(t.db, { members: 1, services: [{ price: 0 }] })
    await sql`update institutes set deposit_kind = 'percent', deposit_percent = 30, pay_at_salon = false, payment_methods = '{card}' where id = ${free.id}`.execute(
      t.db,
    )
    const held = await hold(t, client, free, { startsAt: ten })
    expect((await tryBook({ holdId: held._id, pay: 'all' })).body).toMatchObject({ status: 'pending' })
  })

  it('is all of it where the client chooses so, and in a way that the institute takes', async () => {
    expect(refused(await tryBook({ pay: 'all', paymentMethod: 'klarna' }))[0]).toBe(400)
    await tryBook({ pay: 'all', paymentMethod: 'paypal', returnTo: '/appointment/list?a=1' })
    const id = await checkoutId()
    const page = [...t.payments.pages.values()].find(({ order }) => order.checkoutId === id)
    expect(page?.order).toMatchObject({
      amount: 5200,
      method: 'paypal',
      returnUrl: `http://soigne.test/appointment/list?a=1&payment=${id}`,
      email: client.email,
    })
    await tells(id, 'paid')
    expect(await readVisit(t, client, holdId)).toMatchObject({ status: 'completed', paymentMethod: 'paypal' })
    await isBalanced()
  })
})

describe('[E-10] [E-11] a deposit', () => {
  it('is paid on a page; the word of the provider books, and a return proves nothing', async () => {
    const booked = await tryBook({ key: 'k1' })
    expect(booked.body).toMatchObject({
      _id: holdId,
      status: 'pending',
      payAtSalon: false,
      payment: { url: expect.stringContaining('https://house.test/') },
    })
    const id = await checkoutId()
    expect((await t.inject('GET', `${visitsPath}/${holdId}`, { token: client.token })).status).toBe(404)
    expect((await tells(id, 'paid')).body).toEqual({ received: true })
    expect(await readVisit(t, client, holdId)).toMatchObject({ status: 'deposit_paid', paymentMethod: 'card' })
    expect(await paymentsOf()).toEqual([{ kind: 'deposit', method: 'card', amount: 1500 }])
    const own = await t.inject('GET', `${visitsPath}/${holdId}/payments`, { token: client.token })
    expect(own.body).toMatchObject({
      due: { amount: 3700 },
      payOnline: true,
      methods: ['card', 'paypal'],
      ifCancelled: { refunded: { amount: 1500 }, kept: { amount: 0 } },
    })
    expect((await t.mails(client.email)).map(({ kind }) => kind)).toEqual(['visit_booked'])
    // The same request again is answered as it was.
    expect((await tryBook({ key: 'k1' })).body).toEqual(booked.body)
    await isBalanced()
  })

  it('asked for at once with one key and with others is one page', async () => {
    const answers = await Promise.all([
      tryBook({ key: 'a' }),
      tryBook({ key: 'a' }),
      tryBook({ key: 'b' }),
      tryBook(),
      tryBook({ key: 'c' }),
    ])
    const urls = new Set(answers.map(({ status, body }) => `${status} ${body['payment']?.['url']}`))
    expect([...urls]).toHaveLength(1)
    expect((await sql`select from checkouts where appointment_id = ${holdId}`.execute(t.db)).rows).toHaveLength(1)
    expect([...t.payments.pages.values()].filter(({ order }) => order.instituteId === institute.id)).toHaveLength(1)
  })

  it('is not taken under the key of another hold', async () => {
    await tryBook({ key: 'k' })
    const next = await hold(t, client, institute, { startsAt: later(ten, 60) })
    expect(refused(await tryBook({ key: 'k', holdId: next._id }))).toEqual([409, 'idempotency_conflict'])
  })

  it('cannot be left out: neither by a process of before nor by whoever confirms in SQL', async () => {
    const { rows } = await sql<{
      outcome: string
    }>`select outcome from confirm_unpaid_hold(${holdId}, ${client.id}, 'pending', null, null, null, null, '{}', ${now})`.execute(t.db)
    expect(rows).toEqual([{ outcome: 'payment_needed' }])
    await asks('none')
    expect((await tryConfirm(t, client, holdId)).status).toBe(201)
  })

  it('with a provider that does not answer is refused, and the hold goes on', async () => {
    t.payments.fall()
    expect(refused(await tryBook({ key: 'k' }))).toEqual([503, 'payment_unavailable'])
    const [mine] = (await t.inject('GET', holdsPath, { token: client.token })).body['items'] ?? []
    expect(mine).toMatchObject({ _id: holdId, extended: false, expiresAt: later(now, 10) })
    t.payments.fall(false)
    expect((await tryBook({ key: 'k' })).status).toBe(201)
    await tells(await checkoutId(), 'paid')
    expect((await readVisit(t, client, holdId)).status).toBe('deposit_paid')
  })

  it('of a site without a provider cannot be paid, so it is booked without', async () => {
    const { payments } = t.context
    t.context.payments = null
    try {
      expect(await paymentOf()).toMatchObject({ deposit: { amount: 0 }, methods: [], payAtSalon: true })
      expect(refused(await tryBook({ pay: 'all' }))).toEqual([503, 'payment_unavailable'])
      expect((await tryBook()).body['payment']).toBeUndefined()
      expect((await readVisit(t, client, holdId)).status).toBe('pending')
    } finally {
      t.context.payments = payments
    }
  })
})

describe('nothing was taken', () => {
  it.each(['failed', 'cancelled'] as const)('%s: the same hold, and another way to pay', async (how) => {
    await tryBook()
    const first = await checkoutId()
    await tells(first, how)
    expect((await paymentOf())['checkout']).toMatchObject({ _id: first, state: how, url: null })
    expect((await tryBook({ paymentMethod: 'paypal' })).status).toBe(201)
    const second = await checkoutId()
    await tells(second, 'paid')
    expect(await readVisit(t, client, holdId)).toMatchObject({ status: 'deposit_paid', paymentMethod: 'paypal' })
    await isBalanced()
  })

  it('given up: its page takes nothing any more; another way closes the page before', async () => {
    await tryBook()
    const first = await checkoutId()
    const given = await t.inject('DELETE', `${holdsPath}/${holdId}/payment`, { token: client.token })
    expect(given.body).toMatchObject({ checkout: { _id: first, state: 'cancelled', url: null }, booked: false })
    expect(t.payments.ends(first, 'paid').state).toBe('expired')
    await tryBook()
    const second = await checkoutId()
    await tryBook({ pay: 'all' })
    expect(t.payments.ends(second, 'paid').state).toBe('expired')
    await tells(await checkoutId(), 'paid')
    expect((await readVisit(t, client, holdId)).status).toBe('completed')
  })

  it('closed before its end: the hold goes on, whoever tells of it first', async () => {
    await tryBook()
    await tells(await checkoutId(), 'expired')
    expect(await paymentOf()).toMatchObject({ checkout: { state: 'cancelled' }, booked: false })
    const again = await tryBook({ paymentMethod: 'paypal' })
    expect([again.status, again.body['status']]).toEqual([201, 'pending'])
  })

  it('given up when it was paid this moment: it is paid', async () => {
    await tryBook()
    t.payments.ends(await checkoutId(), 'paid')
    const given = await t.inject('DELETE', `${holdsPath}/${holdId}/payment`, { token: client.token })
    expect(given.body).toMatchObject({ checkout: { state: 'paid' }, booked: true })
  })

  it('and the page ran out: the time is free', async () => {
    await tryBook()
    t.clock.set(later(now, 45))
    await tells(await checkoutId(), 'expired')
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(201)
  })
})

describe('a word', () => {
  it('that is forged, foreign, malformed or of another house changes nothing, and is noted', async () => {
    await tryBook()
    const id = await checkoutId()
    const right = t.payments.sign({
      id: 'x',
      at: t.clock.now(),
      kind: 'page',
      checkoutId: id,
      page: { state: 'paid', reference: 'r', amount: 1500, currency: 'EUR' },
    })
    const send = (path: string, payload: Buffer, headers: Record<string, string>) =>
      t.inject('POST', `/api/v1/webhooks/${path}`, { payload, headers })
    const stale = t.payments.sign({ id: 'y', at: t.clock.now() - 600_000, kind: 'other', name: 'n' })
    const foreign = t.payments.sign({
      id: 'z',
      at: t.clock.now(),
      kind: 'page',
      checkoutId: '00000000-0000-7000-8000-000000000000',
      page: { state: 'failed' },
    })
    const changed = Buffer.from(right.payload.toString().replace('1500', '1501'))
    for (const answer of [
      await send('sandbox', right.payload, {}),
      await send('sandbox', changed, right.headers),
      await send('sandbox', Buffer.from('{'), right.headers),
      await send('sandbox', stale.payload, stale.headers),
      await send('sandbox', foreign.payload, foreign.headers),
      await send('stripe', right.payload, right.headers),
    ])
      expect(refused(answer)).toEqual([400, 'bad_input'])
    expect((await paymentOf())['checkout']).toMatchObject({ state: 'open' })
    expect((await sql`select from payment_words where subject_id = ${id}`.execute(t.db)).rows).toEqual([])
  })

  it('about another sum or currency books nothing and is noted', async () => {
    await tryBook()
    const id = await checkoutId()
    await tells(id, 'paid', { amount: 1499 })
    expect(await paymentOf()).toMatchObject({ booked: false, checkout: { state: 'failed' } })
    const { rows } =
      await sql`select kind, details ->> 'paid' as paid from security_events where kind = 'payment.differs' and details ->> 'checkout' = ${id}`.execute(
        t.db,
      )
    expect(rows).toEqual([{ kind: 'payment.differs', paid: '1499 EUR' }])
  })

  it('that is lost is asked for: the next run of the job settles what was paid, also by another process', async () => {
    await tryBook()
    const id = await checkoutId()
    t.payments.ends(id, 'paid')
    const other = await openTestApp({ at: later(now, 1), databaseUrl: t.databaseUrl, payments: t.payments })
    try {
      await other.jobs['settle_checkouts']?.({})
    } finally {
      await other.close()
    }
    expect((await readVisit(t, client, holdId)).status).toBe('deposit_paid')
    await isBalanced()
  })

  it('that never comes: at its end the page is closed and the time free', async () => {
    await tryBook()
    const id = await checkoutId()
    t.clock.set(later(now, 46))
    await t.jobs['settle_checkouts']?.({})
    expect(t.payments.ends(id, 'paid').state).toBe('expired')
    expect((await sql`select state from checkouts where id = ${id}`.execute(t.db)).rows).toEqual([{ state: 'expired' }])
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(201)
  })
})
