/** Whoever takes money, and money that goes back. Checkouts build on it; it knows none of them but by what they took. */
export type { PageOrder, PageState, PaymentProvider, ProviderWord, RefundOrder } from '#/platform/payment-provider.ts'
export { cancelledWithMoney, moneyOf } from './refund-store.ts'
export { ifCancelledNow, refundForNote, refundLate, returnMoney, returnMoneyOf, sharesOf } from './returning.ts'
export { instituteOfRefund, refundHeard, sendRefunds } from './sending.ts'
