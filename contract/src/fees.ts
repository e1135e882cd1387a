/** What institutes charge whoever cancels late or does not come, and the cards that are kept for it. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { returnPath } from './payments.ts'
import { id, message, money, text } from './wire.ts'

/** Why there is a fee. */
export const feeKinds = ['late_cancel', 'no_show'] as const
/**
 * `due`: charged at `dueAt` unless it is waived before. `charging`: the card is being asked. `asked`: its client has to confirm it. `unpaid`: the card was
 * declined. `withdrawn`: they came after all.
 */
export const feeStates = ['due', 'charging', 'charged', 'asked', 'unpaid', 'waived', 'withdrawn', 'given_back'] as const
/** From when a fee is made until it is charged, so that it can be waived, or the attendance corrected. */
export const feeWaitHours = 24

const shownCard = z.object({ brand: z.string(), lastFour: z.string() })

const fee = z.object({
  _id: z.string(),
  kind: z.enum(feeKinds),
  amount: money,
  state: z.enum(feeStates),
  dueAt: z.string(),
  reason: z.nullable(z.string()),
})

/** Schema of the sessions of packages that pay for a visit. */
export const visitSessions = z.array(z.object({ name: z.string(), count: z.int(), state: z.enum(['used', 'back', 'gone']) }))
/** Schema of the fee of a visit as its sale tells it; null where there is none. */
export const feeOfSale = z.nullable(z.extend(fee, { canWaive: z.boolean() }))
/** What its client reads of what it costs to cancel a visit, or to miss it. */
export const feesOfVisit = {
  /** What would go back, be kept and be charged to the card if its client cancelled now; null where that cannot be done. */
  ifCancelled: z.nullable(
    z.object({
      refunded: money,
      kept: money,
      charged: money,
      /** What was paid, where some of it was at the counter: none of it moves by itself, its institute settles it there. */
      atSalon: z.optional(money),
      /** What would go back had its client's bank not taken it before: nothing of it is sent. */
      atBank: z.optional(money),
      /** What becomes of the sessions of packages that pay for it, where some do. */
      sessions: z.optional(z.enum(['back', 'gone'])),
    }),
  ),
  /** Where some pay for it, or did. */
  sessions: z.optional(visitSessions),
  /** What was agreed for who cancels late or does not come, with the card that is kept; null where nothing was. */
  feeTerms: z.nullable(z.object({ lateCancel: money, noShow: money, card: z.nullable(shownCard) })),
  fee: z.nullable(z.omit(fee, { reason: true })),
  /** What cancelling after the free window costs in all, a deposit included, beside sessions that pay for it, and until when it can be done; null where it cannot. */
  lateCancelling: z.nullable(z.object({ costs: money, until: z.string() })),
}

const openFee = z.extend(z.omit(fee, { reason: true }), {
  visitId: z.string(),
  client: z.string(),
  startsAt: z.string(),
  /** What was paid before and did not go back: together with the fee it is what cancelling late or not coming costs. */
  held: money,
  /** The one that is charged; without any the fee stays open until its client pays it. */
  card: z.nullable(shownCard),
})
export type OpenFee = z.output<typeof openFee>

const savedCard = z.extend(shownCard, {
  _id: z.string(),
  keptAt: z.string(),
  /** A coming visit, or a fee that is not settled, needs it. */
  needed: z.boolean(),
})
export type SavedCard = z.output<typeof savedCard>

const base = '/api/v1/secure/mysalon'

/** Waiving and paying fees, and saved cards. */
export const feeCalls = defineCalls({
  openFees: {
    method: 'GET',
    path: `${base}/fees`,
    access: { of: 'institute', may: 'sales.read' },
    tag: 'sales',
    summary: 'Fees of late cancellations and missed visits that are not settled, the next to be charged first',
    answer: z.object({ items: z.array(openFee) }),
  },
  waiveFee: {
    method: 'PUT',
    path: `${base}/fees/:id/waive`,
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary: 'Waive a fee with a reason: it is never charged, and what was charged goes back whole',
    params: z.object({ id }),
    body: z.object({ reason: text(300) }),
    answer: message,
    refusals: ['wrong_state'],
  },
  undoWaiver: {
    method: 'DELETE',
    path: `${base}/fees/:id/waive`,
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary: 'Take back that a fee was waived, for a few seconds, until its client is told; not of one that was to be paid already',
    params: z.object({ id }),
    answer: message,
    refusals: ['too_late'],
  },
  chargeFee: {
    method: 'POST',
    path: `${base}/fees/:id/charge`,
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary:
      'Charge the fee of a missed visit now, once the grace after its start is over, and answer what became of it; it can be given back, not undone',
    params: z.object({ id }),
    idempotent: true,
    status: 201,
    answer: z.object({ state: z.enum(feeStates) }),
    refusals: ['wrong_state', 'payment_unavailable', 'idempotency_conflict'],
  },
  payFee: {
    method: 'POST',
    path: '/api/v1/secure/appointments/:id/fee/payments',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Pay the fee of a visit of one’s own that could not be charged: answers where',
    params: z.object({ id }),
    body: z.object({ returnTo: z.optional(returnPath) }),
    idempotent: true,
    status: 201,
    answer: z.object({ payment: z.object({ url: z.string() }) }),
    refusals: ['wrong_state', 'payment_unavailable', 'idempotency_conflict'],
  },
  savedCards: {
    method: 'GET',
    path: '/api/v1/secure/client/cards',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'My saved cards, the last first',
    answer: z.object({ items: z.array(savedCard) }),
  },
  removeCard: {
    method: 'DELETE',
    path: '/api/v1/secure/client/cards/:id',
    access: { of: 'self', verified: true },
    tag: 'settings',
    summary: 'Remove a saved card that nothing needs any more',
    params: z.object({ id }),
    answer: message,
    refusals: ['card_needed'],
  },
})
