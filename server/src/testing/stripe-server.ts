/** A stand-in of Stripe over HTTP: it remembers accounts, and the sessions, payments and refunds of each, keeps keys as Stripe does, and fails as a test wants. */
import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type Stripe from 'stripe'
import { SentToBanks } from './stripe-payouts.ts'

export type StandInSession = Pick<
  Stripe.Checkout.Session,
  'id' | 'object' | 'url' | 'status' | 'payment_status' | 'amount_total' | 'currency' | 'client_reference_id' | 'metadata' | 'livemode'
> & { payment_intent: string | null; mode: string; setup_intent: string | null; keeps_card: boolean }
type StandInPayment = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'status' | 'amount' | 'application_fee_amount' | 'currency' | 'created' | 'metadata'
>
/** How a card that was kept answers later. */
type StandInCard = 'good' | 'asking' | 'empty'
type StandInAccount = Pick<Stripe.Account, 'id' | 'object' | 'charges_enabled' | 'payouts_enabled' | 'country'>
type StandInRefund = Pick<Stripe.Refund, 'id' | 'object' | 'status' | 'amount' | 'metadata' | 'payment_intent' | 'currency' | 'created'>
type Problem = Partial<Pick<Stripe.StripeRawError, 'type' | 'code' | 'message'>>

interface Answer {
  status: number
  body: object
}
export interface Question {
  path: string
  account: string | null
  key: string | null
  form: Record<string, string>
}
interface Fault {
  /** `hang`: it never answers. */
  status: number | 'hang'
  problem?: Problem
  times: number
  /** Whether what was asked for happens all the same. */
  afterEffect?: boolean
}

const failed = (status: number, problem: Problem): Answer => ({ status, body: { error: problem } })
const missing = failed(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' })
const unknown = failed(403, {
  type: 'invalid_request_error',
  code: 'account_invalid',
  message: 'The provided key does not have access to the account, or it does not exist',
})
/** `metadata[mark]=x` */
const under = (form: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value]] : [])),
  )

/** What was begun between two seconds, the newest first, so many at once. */
function listOf(all: readonly { id: string; created: number }[], query: URLSearchParams): Answer {
  const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise)
  const wanted = all
    .filter(({ created }) => created >= number('created[gte]', 0) && created < number('created[lt]', Infinity))
    .toSorted((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1))
  const after = query.get('starting_after')
  const rest = after === null ? wanted : wanted.slice(wanted.findIndex(({ id }) => id === after) + 1)
  const data = rest.slice(0, number('limit', 10))
  return { status: 200, body: { object: 'list', data, has_more: data.length < rest.length } }
}

class Books {
  readonly #now: () => number
  constructor(now: () => number) {
    this.#now = now
  }
  #second(): number {
    return Math.floor(this.#now() / 1000)
  }
  /** Those that are listed: a payment begins when somebody pays. */
  paymentsListed(query: URLSearchParams): Answer {
    const listed = [...this.payments.values()].filter(({ status }) => status !== 'requires_payment_method')
    return listOf(
      listed.map((one) => ({ ...one, amount_received: one.status === 'succeeded' ? one.amount : 0 })),
      query,
    )
  }
  refundsListed(query: URLSearchParams): Answer {
    return listOf(this.refunds, query)
  }
  readonly sessions = new Map<string, StandInSession>()
  readonly payments = new Map<string, StandInPayment>()
  readonly refunds: StandInRefund[] = []
  readonly disputed = new Set<string>()
  /** By the name of the payment method; a card that is detached is there no more. */
  readonly cards = new Map<string, StandInCard>()
  /** How the next refunds begin. */
  refundStatus: 'succeeded' | 'pending' | 'failed' = 'succeeded'

  openSession(form: Record<string, string>): Answer {
    const id = `cs_test_${this.sessions.size + 1}`
    const made: StandInSession = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      mode: form['mode'] ?? '',
      setup_intent: null,
      keeps_card: form['mode'] === 'setup' || form['payment_intent_data[setup_future_usage]'] === 'off_session',
      amount_total: form['mode'] === 'setup' ? null : Number(form['line_items[0][price_data][unit_amount]']),
      currency: form['currency'] ?? form['line_items[0][price_data][currency]'] ?? null,
      client_reference_id: form['client_reference_id'] ?? null,
      metadata: under(form, 'metadata'),
      livemode: false,
      payment_intent: null,
    }
    this.sessions.set(id, made)
    const fee = form['payment_intent_data[application_fee_amount]']
    const amount = made.amount_total ?? 0
    const payment: StandInPayment = {
      id: `pi_${id}`,
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount,
      application_fee_amount: fee === undefined ? null : Number(fee),
      currency: made.currency ?? '',
      created: this.#second(),
      metadata: under(form, 'payment_intent_data[metadata]'),
    }
    this.payments.set(payment.id, payment)
    return { status: 200, body: made }
  }

  session(id: string): Answer {
    const found = this.sessions.get(id)
    if (!found) return missing
    const by = found.payment_intent === null ? null : this.payments.get(found.payment_intent)
    const kept = found.keeps_card
      ? { payment_method: { id: `pm_${id}`, customer: `cus_${id}`, card: { brand: 'visa', last4: '4242' } } }
      : { payment_method: `pm_${id}` }
    const setup = found.setup_intent === null ? null : { id: found.setup_intent, status: 'succeeded', ...kept }
    return { status: 200, body: { ...found, setup_intent: setup, payment_intent: by ? { ...by, ...kept } : null } }
  }

  expire(id: string): Answer {
    const found = this.sessions.get(id)
    if (!found) return missing
    if (found.status !== 'open')
      return failed(400, { type: 'invalid_request_error', message: `Only Checkout Sessions with a status in ["open"] can be expired.` })
    found.status = 'expired'
    return { status: 200, body: found }
  }

  payment(id: string): Answer {
    const found = this.payments.get(id)
    return found ? { status: 200, body: found } : missing
  }

  /** Of a card that was kept, while its owner is away. */
  charge(form: Record<string, string>): Answer {
    const card = this.cards.get(form['payment_method'] ?? '')
    if (!card || form['off_session'] !== 'true' || form['confirm'] !== 'true') return missing
    if (card === 'asking') return failed(402, { type: 'card_error', code: 'authentication_required', message: 'authentication needed' })
    if (card === 'empty') return failed(402, { type: 'card_error', code: 'card_declined', message: 'insufficient funds' })
    const made: StandInPayment = {
      id: `pi_charge_${this.payments.size + 1}`,
      object: 'payment_intent',
      status: 'succeeded',
      amount: Number(form['amount']),
      application_fee_amount: form['application_fee_amount'] === undefined ? null : Number(form['application_fee_amount']),
      currency: form['currency'] ?? '',
      created: this.#second(),
      metadata: under(form, 'metadata'),
    }
    this.payments.set(made.id, made)
    return { status: 200, body: made }
  }

  detach(id: string): Answer {
    return this.cards.delete(id) ? { status: 200, body: { id, object: 'payment_method' } } : missing
  }

  refund(form: Record<string, string>): Answer {
    const paid = this.payments.get(form['payment_intent'] ?? '')
    if (!paid) return missing
    const back = this.refunds.filter((one) => one.payment_intent === paid.id).reduce((sum, one) => sum + one.amount, 0)
    const amount = Number(form['amount'])
    const code = this.disputed.has(paid.id) ? 'charge_disputed' : back === paid.amount ? 'charge_already_refunded' : 'parameter_invalid'
    if (code === 'charge_disputed' || paid.status !== 'succeeded' || back + amount > paid.amount)
      return failed(400, { type: 'invalid_request_error', code, message: 'Refund amount is greater than unrefunded amount on charge' })
    if (form['refund_application_fee'] === 'true' && paid.application_fee_amount === null)
      return failed(400, { type: 'invalid_request_error', message: 'Attempting to refund_application_fee on a charge without one' })
    const made: StandInRefund = {
      id: `re_${this.refunds.length + 1}`,
      object: 'refund',
      status: this.refundStatus,
      amount,
      metadata: under(form, 'metadata'),
      payment_intent: paid.id,
      currency: paid.currency,
      created: this.#second(),
    }
    this.refunds.push(made)
    return { status: 200, body: made }
  }
}

function answerOf(books: Books, method: string, path: string, form: Record<string, string>, query: URLSearchParams): Answer {
  if (method === 'GET' && path === '/v1/payment_intents') return books.paymentsListed(query)
  if (method === 'GET' && path === '/v1/refunds') return books.refundsListed(query)
  const [, , kind = '', ...rest] = path.split('/')
  if (kind === 'checkout' && method === 'POST' && rest.length === 1) return books.openSession(form)
  if (kind === 'checkout' && method === 'POST' && rest[2] === 'expire') return books.expire(rest[1] ?? '')
  if (kind === 'checkout' && method === 'GET') return books.session(rest[1] ?? '')
  if (kind === 'payment_intents' && method === 'POST' && rest.length === 0) return books.charge(form)
  if (kind === 'payment_methods' && rest[1] === 'detach') return books.detach(rest[0] ?? '')
  if (kind === 'payment_intents' && method === 'GET') return books.payment(rest[0] ?? '')
  if (kind === 'refunds' && method === 'POST') return books.refund(form)
  return failed(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path})` })
}

const newAccount = (id: string, country: string): StandInAccount => ({
  id,
  object: 'account',
  country,
  charges_enabled: false,
  payouts_enabled: false,
})

/** Accounts of institutes: one that is made tells nothing yet, so it takes nothing. */
class Accounts {
  readonly #known = new Map<string, StandInAccount>()
  readonly #nameOf: () => string
  constructor(nameOf: () => string) {
    this.#nameOf = nameOf
  }

  /** What its owner told on the page, or what Stripe decided since. */
  set(id: string, now: { charges: boolean; payouts: boolean }): StandInAccount {
    const known = this.#known.get(id) ?? newAccount(id, 'FR')
    const found = { ...known, charges_enabled: now.charges, payouts_enabled: now.payouts }
    this.#known.set(id, found)
    return found
  }
  /** Its owner takes the access of the site away. */
  leave(id: string): void {
    this.#known.delete(id)
  }
  takes(id: string): boolean {
    return this.#known.get(id)?.charges_enabled === true
  }
  has(id: string): boolean {
    return this.#known.has(id)
  }
  make(form: Record<string, string>): Answer {
    const isItself =
      form['controller[fees][payer]'] === 'account' &&
      form['controller[losses][payments]'] === 'stripe' &&
      form['controller[stripe_dashboard][type]'] === 'full' &&
      form['controller[requirement_collection]'] === 'stripe'
    if (!isItself || !form['country']) return failed(400, { type: 'invalid_request_error', message: 'This is no account of its own' })
    const made = newAccount(this.#nameOf(), form['country'])
    this.#known.set(made.id, made)
    return { status: 200, body: made }
  }
  read(id: string): Answer {
    const found = this.#known.get(id)
    return found ? { status: 200, body: found } : unknown
  }
  link(form: Record<string, string>): Answer {
    const { account = '', type, return_url: back, refresh_url: again } = form
    if (!this.#known.has(account)) return unknown
    if (type !== 'account_onboarding' || !back || !again) return failed(400, { type: 'invalid_request_error', message: 'Not a link' })
    return { status: 200, body: { object: 'account_link', url: `https://connect.stripe.com/setup/${account}` } }
  }
}

function accountAnswer(accounts: Accounts, method: string, path: string, form: Record<string, string>): Answer | null {
  const [, , kind, id] = path.split('/')
  if (kind === 'account_links' && method === 'POST') return accounts.link(form)
  if (kind === 'accounts' && method === 'POST' && id === undefined) return accounts.make(form)
  return kind === 'accounts' && method === 'GET' ? accounts.read(id ?? '') : null
}

export class StripeServer {
  readonly accounts = new Accounts(() => `acct_made${++this.#made}`)
  #made = 0
  readonly asked: Question[] = []
  /** What it sent to banks, by account. */
  readonly sent = new SentToBanks()
  /** What time it is there. */
  now: () => number = Date.now
  readonly #books = new Map<string | null, Books>()
  readonly #kept = new Map<string, { form: string; answer: Answer }>()
  readonly #key: string
  #fault: Fault | null = null
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => this.#answer(request.method ?? '', request.url ?? '', request.headers, body, response))
  })
  constructor(key: string) {
    this.#key = key
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
  /** What an account has; null: the site's own. */
  of(account: string | null): Books {
    const books = this.#books.get(account) ?? new Books(() => this.now())
    this.#books.set(account, books)
    return books
  }
  plant(fault: Fault | null): void {
    this.#fault = fault
  }
  /** As the client does on the page. `unpaid`: a way to pay that says later. */
  pay(
    account: string | null,
    id: string,
    paid: 'paid' | 'unpaid' = 'paid',
    status: StandInPayment['status'] = 'succeeded',
    card: StandInCard = 'good',
  ): StandInSession {
    const books = this.of(account)
    const [session, payment] = [books.sessions.get(id), books.payments.get(`pi_${id}`)]
    if (!session || !payment || session.status !== 'open') throw new Error('there is no open session of this name')
    if (session.keeps_card) books.cards.set(`pm_${id}`, card)
    const isSetup = session.mode === 'setup'
    const outcome = isSetup
      ? { payment_status: 'no_payment_required', setup_intent: `seti_${id}` }
      : { payment_status: paid, payment_intent: payment.id }
    Object.assign(session, { status: 'complete', ...outcome })
    payment.status = status
    return session
  }

  #answer(method: string, url: string, headers: NodeJS.Dict<string | string[]>, body: string, response: ServerResponse): void {
    const [path = '', search = ''] = url.split('?')
    const form = Object.fromEntries(new URLSearchParams(body))
    const account = (headers['stripe-account'] as string | undefined) ?? null
    const key = (headers['idempotency-key'] as string | undefined) ?? null
    this.asked.push({ path, account, key, form })
    const fault = this.#fault && this.#fault.times > 0 ? this.#fault : null
    if (fault) fault.times -= 1
    const effect =
      !fault || fault.afterEffect === true
        ? this.#effect(method, path, headers, { form, body, account, key, query: new URLSearchParams(search) })
        : null
    if (fault?.status === 'hang') return
    const answer = fault ? failed(Number(fault.status), fault.problem ?? { type: 'api_error', message: 'planted' }) : effect
    response
      .writeHead(answer?.status ?? 500, { 'content-type': 'application/json', 'request-id': `req_${this.asked.length}` })
      .end(JSON.stringify(answer?.body ?? {}))
  }

  #said(
    method: string,
    path: string,
    { account, form, query }: { account: string | null; form: Record<string, string>; query: URLSearchParams },
  ): Answer {
    const takes = ['/v1/checkout/sessions', '/v1/payment_intents'].includes(path) && method === 'POST'
    if (takes && account !== null && !this.accounts.takes(account))
      return failed(400, { type: 'invalid_request_error', message: 'Your account cannot currently make live charges.' })
    const ofPayouts = this.sent.answer(account, { method, path, query, list: listOf })
    return ofPayouts ?? accountAnswer(this.accounts, method, path, form) ?? answerOf(this.of(account), method, path, form, query)
  }

  #effect(
    method: string,
    path: string,
    headers: NodeJS.Dict<string | string[]>,
    asked: { form: Record<string, string>; body: string; account: string | null; key: string | null; query: URLSearchParams },
  ): Answer {
    if (headers['authorization'] !== `Bearer ${this.#key}`)
      return failed(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
    if (asked.account !== null && !this.accounts.has(asked.account)) return unknown
    if (asked.key === null || method !== 'POST') return this.#said(method, path, asked)
    const name = `${asked.account} ${asked.key}`
    const kept = this.#kept.get(name)
    if (kept && kept.form !== asked.body)
      return failed(400, { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters' })
    const answer = kept?.answer ?? this.#said(method, path, asked)
    this.#kept.set(name, { form: asked.body, answer: { ...answer, body: structuredClone(answer.body) } })
    return answer
  }
}

/** A word as Stripe sends it, signed at a second. */
export function stripeWord(
  secret: string,
  at: number,
  said: { type: string; object: object; account?: string; livemode?: boolean; id?: string },
): { bytes: Buffer; headers: Record<string, string> } {
  const { type, object, account, livemode = false, id = 'evt_1' } = said
  const created = Math.floor(at / 1000)
  const bytes = Buffer.from(JSON.stringify({ id, object: 'event', type, created, livemode, ...(account && { account }), data: { object } }))
  const hash = createHmac('sha256', secret).update(`${created}.`).update(bytes).digest('hex')
  return { bytes, headers: { 'stripe-signature': `t=${created},v1=${hash}` } }
}
