/** The built-in provider of payments for trials: it takes invented money on its own pages, behind the same port as Stripe. */
import { createHmac } from 'node:crypto'
import { dayMs } from '@soigne/contract/time'
import type { ChargeState, PageState, PaymentProvider } from '#/features/payments/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { sameBytes } from '#/platform/tokens.ts'
import {
  addRefund,
  type CardKind,
  cardKinds,
  disputePage,
  type DisputeState,
  findPage,
  findRefund,
  lockPaid,
  movesBetween,
  movesOfInstitute,
  putCharge,
  putPage,
  refundedOf,
  settlePage,
  type StoredPage,
} from './store.ts'
import { payoutsOf, waitingOf } from './payouts.ts'
import { say } from './telling.ts'
import { chargeStateOf, keyOf, pageWord, readWord, stateOf } from './words.ts'

export type { HouseMove } from './store.ts'
export { payoutsOf, waitingOf } from './payouts.ts'
export type { CardKind, StoredPage }

export type House = Pick<AppContext, 'database' | 'clock' | 'settings' | 'publicUrl' | 'log'>

export const pagesPath = '/sandbox/pay'

const markOf = ({ settings }: House, id: string): string =>
  createHmac('sha256', keyOf(settings.secret, 'pages')).update(id).digest('base64url')
/** Names a page and proves that it was given by this house: nothing of it is stored. */
const tokenOf = (house: House, id: string): string => `${id}.${markOf(house, id)}`

/** Null for a token that this house never gave. */
export async function pageOfToken(house: House, token: string): Promise<StoredPage | null> {
  const [, id = '', mark = ''] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  return id !== '' && sameBytes(Buffer.from(mark), Buffer.from(markOf(house, id))) ? findPage(house.database.db, id) : null
}

/** How the payment of a page is called. */
export const referenceOfPage = (id: string): string => `sandbox_${id.replaceAll('-', '')}`

/** What somebody decided on a page; false when it was open no more. */
export const settle = (
  house: House,
  id: string,
  state: 'paid' | 'failed' | 'cancelled' | 'expired',
  card: CardKind | null = null,
): Promise<boolean> =>
  inTransaction(house.database.db, async (db) => {
    const now = house.clock.now()
    const reference = state === 'paid' ? referenceOfPage(id) : null
    const page = await settlePage(db, { id, state, reference, card, now: new Date(now) })
    if (page) await say(db, house, pageWord(page, now))
    return page !== null
  })

/** How long an institute has for its answer. */
const answerMs = 7 * dayMs
/** Whoever opens a paid page again is the bank of who paid: it takes the money back, and then decides. */
export const disputePayment = (house: House, id: string, state: DisputeState): Promise<void> =>
  inTransaction(house.database.db, async (db) => {
    const page = await disputePage(db, { id, state, now: new Date(house.clock.now()) })
    if (!page) return
    const { amount, currency, reference } = page
    await say(db, house, {
      kind: 'dispute',
      disputeId: `dispute_${id.replaceAll('-', '')}`,
      reference: reference ?? '',
      accountId: null,
      amount,
      currency,
      state,
      why: 'not_received',
      answerBy: state === 'open' ? house.clock.now() + answerMs : null,
    })
  })

async function became(house: House, id: string): Promise<PageState> {
  const page = await findPage(house.database.db, id)
  if (!page) throw new Error(`the sandbox knows no page ${id}`)
  return stateOf(page, house.clock.now())
}

const refund = (house: House): PaymentProvider['refund'] =>
  async function giveBack({ refundId, reference, amount, currency }, key) {
    return inTransaction(house.database.db, async (db) => {
      const paid = await lockPaid(db, reference)
      if (!paid) throw new Error(`the sandbox knows no payment ${reference}`)
      const known = await findRefund(db, key)
      if (known) return { reference: known.id, state: known.state }
      // As long as the bank has it, and for good where it decided so.
      if (paid.dispute === 'open' || paid.dispute === 'lost') return { reference: null, state: 'failed', why: 'disputed' }
      if (currency !== paid.currency || amount > paid.amount - (await refundedOf(db, paid.id)))
        throw new Error(`the sandbox has not so much left of ${reference}`)
      // As at real houses: a card is given back at once, the others say so later.
      const state = paid.method === 'card' ? 'done' : 'waiting'
      const given = await addRefund(db, { key, pageId: paid.id, refundId, amount, state, now: new Date(house.clock.now()) })
      await say(db, house, { kind: 'refund', refundId, state: 'done' })
      return { reference: given.id, state }
    })
  }

/** By the name of a card, how it answers: `card_good_…`. */
const kindOf = (token: string): CardKind | null => cardKinds.find((kind) => token.startsWith(`card_${kind}_`)) ?? null
const answers = { good: 'paid', asking: 'asks', empty: 'failed' } as const

const charge = (house: House): PaymentProvider['charge'] =>
  async function takeFromCard({ checkoutId, instituteId: institute, token, amount, currency, description }, key): Promise<ChargeState> {
    const card = kindOf(token)
    if (!card) throw new Error(`the sandbox knows no card ${token}`)
    return inTransaction(house.database.db, async (db) => {
      const now = new Date(house.clock.now())
      const made = await putCharge(db, { key, checkoutId, institute, amount, currency, description, state: answers[card], card, now })
      const said = chargeStateOf(made.charge)
      if (made.isNew) await say(db, house, { kind: 'charge', checkoutId, charge: said })
      return said
    })
  }

/** @throws where the mode is production */
export function sandboxProvider(house: House): PaymentProvider {
  if (house.settings.mode === 'production') throw new Error('there is no sandbox in production')
  return {
    name: 'sandbox',
    accounts: null,
    async openPage(order, key) {
      const { checkoutId, instituteId: institute, amount, currency, method, description, locale, returnUrl, until, keepsCard } = order
      const now = new Date(house.clock.now())
      const page = {
        key,
        checkoutId,
        institute,
        amount,
        currency,
        method,
        description,
        locale,
        returnUrl,
        until: new Date(until),
        keepsCard,
        now,
      }
      const pageId = await putPage(house.database.db, page)
      return { pageId, url: `${house.publicUrl()}${pagesPath}/${tokenOf(house, pageId)}` }
    },
    async closePage(pageId) {
      await settle(house, pageId, 'expired')
      return became(house, pageId)
    },
    pageState: (pageId) => became(house, pageId),
    charge: charge(house),
    // A card is its name: nothing of it is stored.
    forgetCard: async () => {},
    refund: refund(house),
    async moves(_accountId, from, until) {
      const moved = await movesBetween(house.database.db, new Date(from), new Date(until))
      return moved.map((one) => ({ ...one, at: parseInstant(one.at) }))
    },
    async payouts({ instituteId }, from) {
      const all = payoutsOf(await movesOfInstitute(house.database.db, instituteId), house.clock.now())
      return all.flatMap(({ payout }) => (payout.at >= from ? [payout] : []))
    },
    waiting: async ({ instituteId }) => waitingOf(await movesOfInstitute(house.database.db, instituteId), house.clock.now()),
    async payoutMoves({ instituteId }, reference) {
      const all = payoutsOf(await movesOfInstitute(house.database.db, instituteId), house.clock.now())
      return all.find(({ payout }) => payout.reference === reference)?.moves ?? null
    },
    readWord: (bytes, headers, now) => readWord(keyOf(house.settings.secret, 'words'), bytes, headers, now),
  }
}
