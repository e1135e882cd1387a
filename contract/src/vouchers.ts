/** Gift cards of an institute: sold at the till, used in parts, gone at the end of their last day. Amounts are whole minor units. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { id, money, searchText } from './wire.ts'

/** Most years that a gift card is good for. */
export const mostGiftCardYears = 10

/** Good; with nothing left on it; or past its last day. */
export const voucherStates = ['valid', 'used', 'expired'] as const
const voucherState = z.enum(voucherStates)
export type VoucherState = z.output<typeof voucherState>

const giftCard = z.object({
  _id: z.string(),
  /** The end of its code, which tells cards apart and lets nobody use one. */
  ending: z.string(),
  /** What it was sold with, and what is left on it. */
  amount: money,
  left: money,
  /** Its last day. */
  validUntil: z.string(),
  state: voucherState,
  /** Whoever bought it; null where nobody said. */
  client: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  saleId: z.string(),
})
export type GiftCard = z.output<typeof giftCard>

const rule = z.object({
  /** How long gift cards are good for that are sold from now on. */
  years: z.int().check(z.gte(1), z.lte(mostGiftCardYears)),
})

const base = '/api/v1/secure/mysalon'
/** Gift cards as the institute finds, prints and rules them. */
export const giftCardCalls = defineCalls({
  giftCards: {
    method: 'GET',
    path: `${base}/gift-cards`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Gift cards by their whole code, as it is read from the card, or those a client bought, the last first',
    query: z.object({ code: z._default(searchText(40), ''), customer: z.optional(id) }),
    answer: z.object({ items: z.array(giftCard) }),
  },
  giftCardPdf: {
    method: 'GET',
    path: `${base}/gift-cards/:id/card.pdf`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'A gift card with its code as PDF, for whoever gets it',
    params: z.object({ id }),
    answer: 'application/pdf',
  },
  giftCardRule: {
    method: 'GET',
    path: `${base}/gift-cards/rule`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'How long gift cards are good for',
    answer: rule,
  },
  changeGiftCardRule: {
    method: 'PUT',
    path: `${base}/gift-cards/rule`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'sales',
    summary: 'Say how long gift cards are good for that are sold from now on; those that were sold keep their last day',
    body: rule,
    answer: rule,
  },
})
