/** Visits that are paid online, as tests make them: an institute that asks for a deposit, a client, and what the provider says. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import type { ProviderWord } from '#/platform/payment-provider.ts'
import { hold, type HoldRequest, overlaps, visitsPath } from './booking.ts'
import type { MadeInstitute } from './factories.ts'
import type { TestAnswer, TestApp } from './test-app.ts'

type Client = { token: string }
type How = 'paid' | 'failed' | 'cancelled' | 'expired'

/** What an institute asks for before a visit. */
export const asksFor = (
  t: TestApp,
  { id }: { id: string },
  kind: 'none' | 'fixed' | 'percent',
  value: number | null = null,
  payAtSalon = true,
) =>
  sql`update institutes set deposit_kind = ${kind}, deposit_amount = ${kind === 'fixed' ? value : null}, deposit_percent = ${kind === 'percent' ? value : null},
    pay_at_salon = ${payAtSalon}, payment_methods = '{card,paypal}' where id = ${id}`.execute(t.db)

/** Its account at the provider, as it was read last: how the provider calls it. */
export async function hasAccount(t: TestApp, { id }: { id: string }, accountId: string): Promise<string> {
  await sql`insert into payment_accounts (institute_id, account_id, takes_payments, pays_out, made_at, read_at)
    values (${id}, ${accountId}, true, true, ${new Date(t.clock.now())}, ${new Date(t.clock.now())})`.execute(t.db)
  return accountId
}

type Part = { fixed: number } | { percent: number } | null
/** What it charges whoever cancels late or does not come, at an institute that asks for no deposit unless it is told to. */
export async function charges(
  t: TestApp,
  { id }: { id: string },
  { late = null, noShow = null, grace = 15 }: { late?: Part; noShow?: Part; grace?: number },
): Promise<void> {
  const rule = (part: Part) => {
    const kind = part === null ? 'none' : 'fixed' in part ? 'fixed' : 'percent'
    return { kind, amount: part && 'fixed' in part ? part.fixed : null, percent: part && 'percent' in part ? part.percent : null }
  }
  const [l, n] = [rule(late), rule(noShow)]
  await sql`update institutes set payment_methods = '{card,paypal}', late_fee_kind = ${l.kind}, late_fee_amount = ${l.amount}, late_fee_percent = ${l.percent},
    no_show_fee_kind = ${n.kind}, no_show_fee_amount = ${n.amount}, no_show_fee_percent = ${n.percent}, fee_grace_minutes = ${grace} where id = ${id}`.execute(
    t.db,
  )
}

export const tryBook = (
  t: TestApp,
  client: Client,
  asked: { holdId: string; pay?: string; paymentMethod?: string; key?: string; returnTo?: string },
): Promise<TestAnswer> => {
  const { key, ...body } = asked
  return t.inject('POST', visitsPath, { token: client.token, body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
}

/** The last checkout of a hold or visit. */
export async function lastCheckout(t: TestApp, visitId: string): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select id from checkouts where appointment_id = ${visitId} order by begun_at desc, id desc limit 1`.execute(t.db)
  return rows[0]?.id ?? ''
}

type PageWord = Extract<ProviderWord, { kind: 'page' }>
type ChargeWord = Extract<ProviderWord, { kind: 'charge' }>
let words = 0
/** What a visitor did on the page of a checkout, told by a signed word. */
export async function tells(t: TestApp, id: string, how: How, more: { amount?: number; currency?: string } = {}): Promise<TestAnswer> {
  const page = t.payments.ends(id, how, more)
  return says(t, { kind: 'page', checkoutId: id, page })
}

/** A signed word of the provider. */
export async function says(t: TestApp, word: Omit<PageWord, 'id' | 'at'> | Omit<ChargeWord, 'id' | 'at'>): Promise<TestAnswer> {
  const { payload, headers } = t.payments.sign({ id: `w${++words}`, at: t.clock.now(), ...word } as ProviderWord)
  return t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })
}

/** What was asked of the cards of a visit. */
export async function chargesOf(t: TestApp, visitId: string) {
  const { rows } = await sql<{ id: string }>`select id from checkouts where appointment_id = ${visitId}`.execute(t.db)
  return [...t.payments.charges].filter(([, { order }]) => rows.some(({ id }) => id === order.checkoutId))
}

/** Held, booked and paid: its id. */
export async function paidVisit(
  t: TestApp,
  client: Client,
  institute: MadeInstitute,
  asked: HoldRequest & { pay?: 'deposit' | 'all'; paymentMethod?: string },
): Promise<string> {
  const { pay, paymentMethod, ...request } = asked
  const { _id: holdId } = await hold(t, client, institute, request)
  const booked = await tryBook(t, client, { holdId, ...(pay && { pay }), ...(paymentMethod && { paymentMethod }) })
  expect(booked.body['payment'], booked.text).toBeDefined()
  await tells(t, await lastCheckout(t, holdId), 'paid')
  return holdId
}

/** Every refund that waits is sent, and what was taken less what went back is what the books have online. */
export async function isBalanced(t: TestApp): Promise<void> {
  await t.jobs['send_refunds']?.({})
  expect((await verifyLedgers(t.db)).faults).toEqual([])
  const { rows } = await sql<{
    online: number
  }>`select coalesce(sum(amount), 0)::int as online from ledger_lines where account = 'online'`.execute(t.db)
  expect(t.payments.balance()).toBe(rows[0]?.online)
  expect(await overlaps(t.db)).toBe(0)
}
