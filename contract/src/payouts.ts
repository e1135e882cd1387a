/**
 * What the provider of payments sends to the bank of an institute, of which payments it is made up, and what the provider keeps of them.
 * Amounts are whole minor units. Days are the provider's, in UTC.
 */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { id, money, pageOf, pageQuery, payoutMoveKinds, payoutProblems, payoutStates } from './wire.ts'

/** Most parts of a payout that are shown at once; its file has all of them. */
export const mostPayoutMoves = 500

/** What is kept back, each 0 or more, or below 0 where it is given back. */
const fees = z.object({
  /** Kept by the provider for its work, of payments and apart from any. */
  provider: z.int(),
  /** Kept by this site. */
  site: z.int(),
  /** Tax on these. */
  tax: z.int(),
})
export type PayoutFees = z.output<typeof fees>

/** Who sends it; `sandbox` is the payment page of a trial. */
const provider = z.enum(['sandbox', 'stripe'])

const payout = z.object({
  _id: z.string(),
  provider,
  /** What reaches the bank: `sums` added up, less the fees. Below 0 where the provider takes it from the bank. */
  amount: money,
  state: z.enum(payoutStates),
  /** Why the bank did not take it; null also where the provider does not say. */
  problem: z.nullable(z.enum(payoutProblems)),
  /** Instant it was made. */
  madeAt: z.string(),
  /** Day on which the bank has it, or is meant to: 2026-11-28. */
  arrivesOn: z.string(),
  /** How the provider calls it, as the statement of the bank may. */
  reference: z.string(),
  /** How many payments, refunds and the rest it is made up of; null where the provider does not say. */
  parts: z.nullable(z.int()),
  /** Before fees: what went back, and what banks of clients took back, is below 0. */
  sums: z.object({ payments: z.int(), refunds: z.int(), disputes: z.int(), other: z.int() }),
  fees,
})
export type Payout = z.output<typeof payout>

const payoutMove = z.object({
  kind: z.enum(payoutMoveKinds),
  /** Before fees. */
  amount: z.int(),
  fees,
  /** Instant the provider moved it. */
  at: z.string(),
  /** The provider's own words, where it is nothing of this site. */
  said: z.nullable(z.string()),
  /** The sale it was paid for, where there is one. */
  saleId: z.nullable(z.string()),
  /** Who paid. */
  client: z.nullable(z.string()),
})
export type PayoutMove = z.output<typeof payoutMove>

const base = '/api/v1/secure/mysalon/payouts'

/** Payouts of an institute. They are read from the provider twice a day, and when it says that one has changed. */
export const payoutCalls = defineCalls({
  payouts: {
    method: 'GET',
    path: base,
    access: { of: 'institute', may: 'payouts.read' },
    tag: 'sales',
    summary: 'What the provider of payments sent to the bank, the last first, with what it kept',
    query: z.object({ ...pageQuery }),
    answer: z.extend(pageOf(payout), {
      timeZone: z.string(),
      /** Null where the site takes no payments online. */
      provider: z.nullable(provider),
      /** Instant it was read; null before the first time. */
      readAt: z.nullable(z.string()),
      /** What waits at the provider and is in no payout yet, one amount for each currency, less the provider's fees: below 0 where more went back than came, never 0. */
      waiting: z.array(money),
      /** Instant that was read, which is earlier than `readAt` where the provider said its payouts alone; null before the first time. */
      waitingReadAt: z.nullable(z.string()),
    }),
  },
  payout: {
    method: 'GET',
    path: `${base}/:id`,
    access: { of: 'institute', may: 'payouts.read' },
    tag: 'sales',
    summary: 'A payout with the payments, refunds and fees it is made up of, the last first',
    params: z.object({ id }),
    answer: z.extend(payout, { timeZone: z.string(), moves: z.array(payoutMove) }),
  },
  payoutFile: {
    method: 'GET',
    path: `${base}/:id/parts.csv`,
    access: { of: 'institute', may: 'payouts.read' },
    tag: 'sales',
    summary: 'All parts of a payout as a CSV file in UTF-8, with what each of them paid for; cells are texts, none is a formula',
    params: z.object({ id }),
    answer: 'text/csv',
  },
})
