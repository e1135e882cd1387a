/** A provider of payments in the process of the test: it keeps a book of pages and refunds, is told what its visitors do, and signs what it says. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Money, RefundRefusal } from '@soigne/contract/wire'
import type {
  ChargeOrder,
  ChargeState,
  KeptCard,
  PageOrder,
  PageState,
  PaidOut,
  PaymentProvider,
  ProviderMove,
  ProviderPayout,
  ProviderPayoutMove,
  ProviderWord,
  RefundOrder,
} from '#/platform/payment-provider.ts'

interface Page {
  id: string
  order: PageOrder
  state: PageState
}
interface GivenBack {
  order: RefundOrder
  reference: string
  state: 'waiting' | 'done' | 'failed'
}
export interface SignedWord {
  payload: Buffer
  headers: Record<string, string>
}

const cardOf = (id: string): KeptCard => ({ token: `card_${id}`, brand: 'Visa', lastFour: '4242' })

export class PaymentBook implements PaymentProvider {
  readonly name = 'sandbox'
  readonly accounts = null
  readonly pages = new Map<string, Page>()
  readonly refunds = new Map<string, GivenBack>()
  /** By their keys. */
  readonly charges = new Map<string, { order: ChargeOrder; state: ChargeState }>()
  readonly forgotten: string[] = []
  /** Money that somebody else moved on the account, and what the provider knows no more. */
  readonly elsewhere: ProviderMove[] = []
  readonly lost = new Set<string>()
  /** What it sent to banks, by institute. */
  readonly sent = new Map<string, { payout: ProviderPayout; moves: ProviderPayoutMove[] | null }[]>()
  /** What it did not send yet, by institute. */
  readonly unsent = new Map<string, Money[]>()
  /** What the next charges come to. */
  chargeState: ChargeState['state'] = 'paid'
  /** Called when a charge was made, before it is answered. */
  afterCharge: (order: ChargeOrder, state: ChargeState) => Promise<void> | void = () => {}
  /** By the keys it was asked under. */
  readonly #opened = new Map<string, Page>()
  readonly #secret = randomUUID()
  #isDown = false
  #gate: Promise<void> = Promise.resolve()
  refundState: GivenBack['state'] = 'done'
  refundWhy: RefundRefusal | null = null

  /** From now on it does not answer, or it does again. */
  fall(isDown = true): void {
    this.#isDown = isDown
  }
  /** From now on its answers wait until they are let go. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    return resolve
  }
  async #answer(): Promise<void> {
    await this.#gate
    if (this.#isDown) throw new Error('the house is closed')
  }
  #pageOf(checkoutId: string): Page {
    const page = [...this.pages.values()].find(({ order }) => order.checkoutId === checkoutId)
    if (!page) throw new Error(`no page of ${checkoutId}`)
    return page
  }
  /** What a visitor does on the page of a checkout; only an open page changes. */
  ends(checkoutId: string, how: 'paid' | 'failed' | 'cancelled' | 'expired', more: { amount?: number; currency?: string } = {}): PageState {
    const page = this.#pageOf(checkoutId)
    if (page.state.state !== 'open') return page.state
    const { amount, currency } = { ...page.order, ...more }
    page.state =
      how === 'paid'
        ? { state: 'paid', reference: `pay_${page.id}`, amount, currency, ...(page.order.keepsCard && { card: cardOf(page.id) }) }
        : { state: how }
    return page.state
  }
  /** What it has of all money now. */
  balance(): number {
    const taken = [...this.pages.values()].reduce((sum, { state }) => (state.state === 'paid' ? sum + state.amount : sum), 0)
    const charged = [...this.charges.values()].reduce((sum, { state }) => (state.state === 'paid' ? sum + state.amount : sum), taken)
    return [...this.refunds.values()].reduce((sum, { order, state }) => (state === 'failed' ? sum : sum - order.amount), charged)
  }
  sign(word: ProviderWord): SignedWord {
    const payload = Buffer.from(JSON.stringify(word))
    return { payload, headers: { 'content-type': 'application/json', 'sandbox-signature': this.#signatureOf(payload) } }
  }
  #signatureOf(bytes: Uint8Array): string {
    return createHmac('sha256', this.#secret).update(bytes).digest('hex')
  }

  async openPage(order: PageOrder, key: string): Promise<{ pageId: string; url: string }> {
    await this.#answer()
    const id = `page_${this.pages.size + 1}`
    const page = this.#opened.get(key) ?? { id, order, state: { state: 'open' } }
    this.#opened.set(key, page)
    this.pages.set(page.id, page)
    return { pageId: page.id, url: `https://house.test/${page.id}` }
  }
  async pageState(pageId: string): Promise<PageState> {
    await this.#answer()
    const page = this.pages.get(pageId)
    if (!page) throw new Error(`no page ${pageId}`)
    return page.state
  }
  async closePage(pageId: string): Promise<PageState> {
    await this.#answer()
    const page = this.pages.get(pageId)
    if (!page) throw new Error(`no page ${pageId}`)
    if (page.state.state === 'open') page.state = { state: 'expired' }
    return page.state
  }
  async charge(order: ChargeOrder, key: string): Promise<ChargeState> {
    await this.#answer()
    const { amount, currency } = order
    const kind = this.chargeState
    const state: ChargeState =
      kind === 'paid' ? { state: kind, reference: `charge_${order.checkoutId}`, amount, currency } : { state: kind }
    const known = this.charges.get(key) ?? { order, state }
    this.charges.set(key, known)
    await this.afterCharge(order, known.state)
    return known.state
  }
  async forgetCard(token: string): Promise<void> {
    await this.#answer()
    this.forgotten.push(token)
  }
  async refund(order: RefundOrder, key: string): ReturnType<PaymentProvider['refund']> {
    await this.#answer()
    const known = this.refunds.get(key) ?? { order, reference: `re_${this.refunds.size + 1}`, state: this.refundState }
    this.refunds.set(key, known)
    return { reference: known.reference, state: known.state, why: this.refundWhy }
  }
  /** All of it, whenever it was: a book has no clock. */
  async moves(): Promise<ProviderMove[]> {
    await this.#answer()
    const paid = [
      ...[...this.pages.values()].map(({ order, state }) => ({ ownId: order.checkoutId, state })),
      ...[...this.charges.values()].map(({ order, state }) => ({ ownId: order.checkoutId, state })),
    ].flatMap(({ ownId, state }): ProviderMove[] =>
      state.state === 'paid' && state.amount > 0
        ? [
            {
              kind: 'payment',
              ownId,
              at: 0,
              paymentReference: state.reference,
              reference: state.reference,
              amount: state.amount,
              currency: state.currency,
            },
          ]
        : [],
    )
    const back = [...this.refunds.values()].flatMap(({ order, reference, state }): ProviderMove[] => {
      const { refundId: ownId, reference: paymentReference, amount, currency } = order
      return state === 'done' ? [{ kind: 'refund', ownId, at: 0, paymentReference, reference, amount, currency }] : []
    })
    return [...paid, ...back, ...this.elsewhere].filter(({ reference }) => !this.lost.has(reference))
  }
  async payouts({ instituteId }: PaidOut, from: number): Promise<ProviderPayout[]> {
    await this.#answer()
    return (this.sent.get(instituteId) ?? []).flatMap(({ payout }) => (payout.at >= from ? [payout] : []))
  }
  async waiting({ instituteId }: PaidOut): Promise<Money[] | null> {
    await this.#answer()
    return this.unsent.get(instituteId) ?? []
  }
  async payoutMoves({ instituteId }: PaidOut, reference: string): Promise<ProviderPayoutMove[] | null> {
    await this.#answer()
    return this.sent.get(instituteId)?.find(({ payout }) => payout.reference === reference)?.moves ?? null
  }
  readWord(bytes: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>, now: number): ProviderWord {
    const given = Buffer.from(String(headers['sandbox-signature'] ?? ''))
    const right = Buffer.from(this.#signatureOf(bytes))
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw new Error('forged')
    const word = JSON.parse(Buffer.from(bytes).toString()) as ProviderWord
    if (word.at < now - 300_000) throw new Error('stale')
    return word
  }
}
