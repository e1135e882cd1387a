/**
 * Paying online: for a hold before it becomes an appointment, and what is left of a visit. While its checkout is open the hold keeps its time, at most 45 minutes
 * from its making, counts among its holder's live holds and can be booked by its payment only.
 */
export { book, firstPaymentOf, giveUpPayment } from './booking.ts'
export type { CheckoutOrder } from './beginning.ts'
export { beginCheckout, openCheckout } from './beginning.ts'
export { describedVisit, openingPages } from './opening.ts'
export { abandonCheckout, type Settled, settleCheckout, settlePage } from './settling.ts'
export { type Checkout, findCheckout } from './store.ts'
export { hearWord } from './words.ts'
