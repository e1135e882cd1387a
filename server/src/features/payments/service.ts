/** Whoever takes money, and money that goes back. Checkouts build on it; it knows none of them but by what they took. */
export type { PageOrder, PageState, PaymentProvider, ProviderWord } from '#/platform/payment-provider.ts'
export { refusedOf, refusedOfSale, sendAgain } from './refused.ts'
export { cancelledWithMoney, moneyOf } from './refund-store.ts'
export { ifCancelledNow, refundForNote, refundLate, returnMoney, returnMoneyOf } from './returning.ts'
export { instituteOfRefund, refundHeard, sendRefunds } from './sending.ts'
