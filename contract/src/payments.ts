/** Paying online for a hold or a visit. Whoever takes the money is told by its own word alone what happened; a page somebody comes back to proves nothing. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { disputeReasons, id, message, money, paymentMethod, refundRefusals, text } from './wire.ts'

/** `open`: the provider waits for the client. `paid`: the visit is booked, or its rest is paid. `refund_due`: paid too late, the money goes back. */
export const checkoutStates = ['open', 'paid', 'cancelled', 'failed', 'expired', 'refund_due'] as const

/** A path of this site that the provider leads back to; `payment` with the checkout's id is added to its query. */
export const returnPath = z.string().check(z.maxLength(1000), z.regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/))

/** What is paid online: the deposit the institute asks for, or everything. */
export const payParts = ['deposit', 'all'] as const

const checkout = z.object({
  _id: z.string(),
  state: z.enum(checkoutStates),
  method: paymentMethod,
  amount: money,
  /** Where it is paid, while it is open. */
  url: z.nullable(z.string()),
})

const holdPayment = z.object({
  total: money,
  /** Has to be paid online for the hold to become a visit; 0 when nothing has. */
  deposit: money,
  /** What is not paid online can be paid at the salon. */
  payAtSalon: z.boolean(),
  /** Whether all of it can be paid online; not where its provider cannot move that sum, such as 52.001 dinars. */
  canPayAll: z.boolean(),
  /** Ways to pay online, in the institute's order; none where it takes nothing online. */
  methods: z.array(paymentMethod),
  /** What its institute charges whoever cancels after the free window, or does not come; 0 for nothing. A card is kept for it where that is more than what is paid. */
  fees: z.object({
    lateCancel: money,
    noShow: money,
    /** After the free window, and after the start, nothing is charged for so long. */
    graceMinutes: z.int(),
  }),
  /** The last one of this hold. */
  checkout: z.nullable(checkout),
  /** Whether the hold has become a visit. */
  booked: z.boolean(),
})
export type HoldPayment = z.output<typeof holdPayment>

const received = z.object({ received: z.literal(true) })

/** Money that goes back and that its provider refused: it was not sent. */
export const refusedRefund = z.object({
  _id: z.string(),
  /** Null where the money came too late and never was of a sale. */
  saleId: z.nullable(z.string()),
  client: z.nullable(z.string()),
  amount: money,
  method: paymentMethod,
  /** When it was refused. */
  at: z.string(),
  /** Null where the provider does not say. */
  why: z.nullable(z.enum(refundRefusals)),
  /** How it was paid back otherwise; null while it waits for somebody. */
  settled: z.nullable(z.object({ how: z.string(), at: z.string(), by: z.nullable(z.string()) })),
})
export type RefusedRefund = z.output<typeof refusedRefund>

/** A payment that its client disputes at their bank, which has taken the money back until it has decided. */
export const dispute = z.object({
  _id: z.string(),
  /** Null where the money came too late and never was of a sale. */
  saleId: z.nullable(z.string()),
  client: z.nullable(z.string()),
  amount: money,
  method: paymentMethod,
  state: z.enum(['open', 'won', 'lost']),
  /** Null where the bank does not say. */
  why: z.nullable(z.enum(disputeReasons)),
  openedAt: z.string(),
  /** Until when the institute can answer at its provider; null where none is told. */
  answerBy: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})
export type Dispute = z.output<typeof dispute>

/** Paying, and the words of providers. */
export const paymentCalls = defineCalls({
  holdPayment: {
    method: 'GET',
    path: '/api/v1/secure/appointments/holds/:id/payment',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'What a hold of one’s own is paid with and what became of its payment; still told once it is a visit',
    params: z.object({ id }),
    answer: holdPayment,
  },
  giveUpPayment: {
    method: 'DELETE',
    path: '/api/v1/secure/appointments/holds/:id/payment',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Give up the open checkout of a hold, which goes on; nothing is taken. Paid meanwhile, it stays paid',
    params: z.object({ id }),
    answer: holdPayment,
  },
  payVisit: {
    method: 'POST',
    path: '/api/v1/secure/appointments/:id/payments',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary: 'Pay what is left of a visit of one’s own online: answers where',
    params: z.object({ id }),
    body: z.object({ paymentMethod: z.optional(paymentMethod), returnTo: z.optional(returnPath) }),
    idempotent: true,
    status: 201,
    answer: z.object({ payment: z.object({ url: z.string() }) }),
    refusals: ['wrong_state', 'payment_unavailable', 'idempotency_conflict'],
  },
  visitCancellation: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/appointments/:id/cancellation',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'appointments',
    summary: 'What becomes of what was paid for a visit when its institute cancels it; nothing is changed',
    params: z.object({ id }),
    answer: z.object({
      /** All that was paid online and is not at a bank. */
      refunded: money,
      /** What its client disputes, or did with success: the bank has it, and nothing of it is sent back. */
      atBank: z.optional(money),
      /** What was paid, where some of it was at the counter: a credit note gives it back. */
      atSalon: z.optional(money),
      /** Sessions of packages that go back. */
      sessions: z.int(),
    }),
  },
  sendRefundAgain: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/refunds/:id/again',
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary: 'Ask the provider again to give back what it refused; asked twice it is sent once',
    params: z.object({ id }),
    answer: z.object({ _id: z.string(), state: z.enum(['waiting', 'done']) }),
    refusals: ['wrong_state'],
  },
  settleRefund: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/refunds/:id/settled',
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary: 'Note how a refund that was refused was paid back otherwise: it is never sent again',
    params: z.object({ id }),
    body: z.object({ how: text(300) }),
    answer: message,
    refusals: ['wrong_state'],
  },
  sandboxWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks/sandbox',
    access: 'public',
    tag: 'webhooks',
    summary: 'A word of the built-in provider, signed; anything else is refused with 400 and recorded',
    rawBody: true,
    answer: received,
  },
  stripeWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks/stripe',
    access: 'public',
    tag: 'webhooks',
    summary: 'A word of Stripe, signed with the secret of this site; anything else is refused with 400 and recorded',
    rawBody: true,
    answer: received,
  },
})
