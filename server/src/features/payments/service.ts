/** Whoever takes money, and money that goes back. Checkouts build on it; it knows none of them but by what they took. */
export type {
  ChargeState,
  KeptCard,
  PageOrder,
  PageState,
  PaymentProvider,
  ProviderMove,
  ProviderWord,
} from '#/platform/payment-provider.ts'
export { refusedOfOwn } from './owed-store.ts'
export { owedRefunds, refusedOf, refusedOfSale, sendAgain, settle } from './refused.ts'
export { besideOf, cancelledWithMoney, moneyOf, onlineMoney } from './refund-store.ts'
export {
  depositLeft,
  ifCancelledNow,
  ifInstituteCancels,
  keepMissed,
  keepMissedNoMore,
  refundForNote,
  refundLate,
  refundWaived,
  returnMoney,
  returnMoneyOf,
  returnShare,
} from './returning.ts'
export { instituteOfRefund, refundHeard, sendRefunds } from './sending.ts'
