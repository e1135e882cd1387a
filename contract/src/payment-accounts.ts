/** The account of an institute at the provider of payments: where its money goes. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'

/**
 * `none`: it has no account. `incomplete`: the provider takes nothing for it yet, or no more: something is missing, or is being checked. `ready`: it can be
 * paid. `payouts_stopped`: it can be paid, and what it took does not go on to its bank.
 */
export const paymentAccountStates = ['none', 'incomplete', 'ready', 'payouts_stopped'] as const
const paymentAccountState = z.enum(paymentAccountStates)
export type PaymentAccountState = z.output<typeof paymentAccountState>

/** Schema of the account as the settings tell it; null where institutes need none. */
export const paymentAccount = z.nullable(
  z.object({
    state: paymentAccountState,
    /** Whether whoever reads it may connect it. */
    mayConnect: z.boolean(),
  }),
)

const path = '/api/v1/secure/mysalon/payment-account'

/** Connecting an institute's account, and asking what became of it. */
export const paymentAccountCalls = defineCalls({
  connectPaymentAccount: {
    method: 'POST',
    path,
    access: { of: 'institute', may: 'payments.connect' },
    tag: 'institute-settings',
    summary: 'Makes the account of my institute at Stripe where it has none, and answers where its owner tells Stripe what it has to know',
    answer: z.object({ url: z.string() }),
    refusals: ['account_unavailable'],
  },
  readPaymentAccount: {
    method: 'POST',
    path: `${path}/reading`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary: 'Asks Stripe what the account of my institute can do now',
    answer: z.object({ state: paymentAccountState }),
    refusals: ['account_unavailable'],
  },
})
