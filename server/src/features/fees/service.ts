/** What late cancellations and missed visits cost, and the cards that are kept for it. Checkouts charge them. */
export { putCard } from './card-store.ts'
export { forgetCard, leaveCards, savedCards } from './cards.ts'
export { acceptFee, endFee, isOpenFee, makeLateFee, makeNoShowFee, mayBeChargedFrom, missedOf, withdrawFee } from './making.ts'
export { agreedFees, agreeFees, chargeableFee, dueFees, type Fee, feeOfVisit, lockFee, setFee } from './store.ts'
export { tellOfWaiver, type Waiver } from './letters.ts'
export { openFeesOf, takeBackWaiver, waive } from './waiving.ts'
