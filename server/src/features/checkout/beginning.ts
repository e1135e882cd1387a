/** A checkout is begun: what is paid, until when, and that the hold waits for it. */
import { minuteMs } from '@soigne/contract/time'
import type { Locale, PaymentMethod } from '@soigne/contract/wire'
import { instituteOfHold, type Requester } from '#/features/booking/service.ts'
import { type Fee, feeOfVisit, lockFee } from '#/features/fees/service.ts'
import { findVisit, stateOf, stepFrom } from '#/features/visits/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { paidOf } from './page-store.ts'
import { timesOf } from './settling.ts'
import { awaitPayment, type Checkout, findCheckoutOf, insertCheckout } from './store.ts'

const longestMs = 45 * minuteMs

/** What is paid for a hold before it is an appointment: all of it or a deposit. */
export interface CheckoutOrder {
  holdId: string
  /** Minor units of the visit's currency. */
  amount: number
  /** What of it is kept when its client cancels late. */
  deposit?: number
  /** What is agreed for who cancels late or does not come; its card is kept where that is more than what is paid. */
  fees?: { lateFee: number; noShowFee: number; graceMinutes: number; keepsCard: boolean }
  paymentMethod: PaymentMethod
  note?: string | null
  returnTo?: string | null
}
interface Asking {
  key: string | null
  locale: Locale
}

const isSame = (open: Checkout, { amount, paymentMethod }: Pick<CheckoutOrder, 'amount' | 'paymentMethod'>): boolean =>
  open.amount === amount && open.paymentMethod === paymentMethod

/** Opens the checkout of a live hold, which waits for it until then; the same one that is open already is given again. */
export async function beginCheckout(
  unit: Unit,
  scope: SelfScope<true>,
  order: CheckoutOrder,
  { minutes, key, locale }: Asking & { minutes: number },
): Promise<Checkout> {
  const { holdId: id, amount, deposit = 0, fees, paymentMethod, note = null, returnTo = null } = order
  const visit = await findVisit(unit.db, scope, { id, lock: true })
  if (!visit) throw refuse('not_found')
  if (visit.life === 'held' && parseInstant(visit.expiresAt ?? '') <= unit.now) throw refuse('hold_expired')
  const last = await findCheckoutOf(unit.db, scope, id)
  if (last?.state === 'open' && visit.payment === 'awaiting' && isSame(last, order)) {
    unit.nothingChanged()
    return last
  }
  if (!stepFrom('begin_checkout', stateOf(visit), 'client')) throw refuse('wrong_state')
  if ((amount <= 0 && !fees?.keepsCard) || amount > visit.totalAmount)
    throw new Error(`${amount} is not what is paid for a visit of ${visit.totalAmount}`)
  // A hold that was extended keeps what it has.
  const heldAt = parseInstant(visit.createdAt)
  const heldUntil = parseInstant(visit.expiresAt ?? '')
  const until = Math.min(heldAt + longestMs, Math.max(heldAt + minutes * minuteMs, heldUntil))
  if (until <= unit.now) throw refuse('hold_expired')
  const made = await insertCheckout(unit, {
    visitId: id,
    amount,
    payment: amount === 0 ? 'none' : amount < visit.totalAmount ? 'deposit_paid' : 'paid',
    paymentMethod,
    note,
    until: new Date(until),
    now: new Date(unit.now),
    kind: 'hold',
    heldAt: new Date(heldAt),
    heldUntil: new Date(heldUntil),
    depositAmount: deposit,
    ...fees,
    key,
    locale,
    returnTo,
  })
  if (!made || !(await awaitPayment(unit, id, new Date(until)))) throw refuse('hold_expired')
  unit.record('checkout.begun', id, { ...timesOf(visit), checkoutId: made.id, amount, currency: made.currency, until: made.until })
  return made
}

/** Opens the checkout of one's own hold, or finds the one that is open. */
export async function openCheckout(context: AppContext, who: Requester<SelfScope<true>>, order: CheckoutOrder): Promise<Checkout> {
  const { scope, locale, idempotencyKey: key } = who
  const found = await instituteOfHold(context.database.prepared, scope, order.holdId)
  if (!found) throw refuse((await findVisit(context.database.prepared, scope, { id: order.holdId })) ? 'wrong_state' : 'not_found')
  const asking = { minutes: context.settings.checkoutMinutes, key, locale }
  return changeInstitute(context, { ...found, by: scope }, (unit) => beginCheckout(unit, scope, order, asking))
}

/** What is left of a visit is paid. @throws not_found, wrong_state where nothing is left */
export async function openRest(
  context: AppContext,
  who: Requester<SelfScope<true>>,
  order: { visitId: string; paymentMethod: PaymentMethod; returnTo: string | null },
): Promise<Checkout> {
  const { scope, locale, idempotencyKey: key } = who
  const { visitId: id, paymentMethod, returnTo } = order
  const seen = await findVisit(context.database.prepared, scope, { id })
  if (!seen || seen.life === 'held') throw refuse('not_found')
  return changeInstitute(context, { instituteId: seen.instituteId, by: scope }, async (unit) => {
    const visit = await findVisit(unit.db, scope, { id, lock: true })
    if (!visit || !stepFrom('pay', stateOf(visit), 'client')) throw refuse('wrong_state')
    const amount = visit.totalAmount - (await paidOf(unit.db, scope, unit.instituteId, id))
    if (amount <= 0) throw refuse('wrong_state')
    const last = await findCheckoutOf(unit.db, scope, id)
    if (last?.state === 'open' && isSame(last, { amount, paymentMethod })) {
      unit.nothingChanged()
      return last
    }
    if (last?.state === 'open') throw refuse('wrong_state')
    const now = new Date(unit.now)
    const until = new Date(unit.now + longestMs)
    const common = { visitId: id, amount, payment: 'paid' as const, paymentMethod, note: null, until, now }
    const made = await insertCheckout(unit, {
      ...common,
      kind: 'rest',
      heldAt: now,
      heldUntil: null,
      depositAmount: 0,
      key,
      locale,
      returnTo,
    })
    if (!made) throw refuse('wrong_state')
    unit.record('checkout.begun', id, { ...timesOf(visit), checkoutId: made.id, amount, currency: made.currency, until: made.until })
    return made
  })
}

/** A fee that could not be charged is paid on a page. @throws not_found, wrong_state */
export async function openFee(
  context: AppContext,
  who: Requester<SelfScope<true>>,
  order: { visitId: string; returnTo: string | null },
): Promise<Checkout> {
  const { scope, locale, idempotencyKey: key } = who
  const { visitId, returnTo } = order
  const seen = await findVisit(context.database.prepared, scope, { id: visitId })
  if (!seen) throw refuse('not_found')
  return changeInstitute(context, { instituteId: seen.instituteId, by: scope }, async (unit) => {
    const found = await feeOfVisit(unit.db, scope, { visitId, instituteId: unit.instituteId })
    const fee = found && (await lockFee(unit, found.id))
    if (!fee || (fee.state !== 'asked' && fee.state !== 'unpaid')) throw refuse('wrong_state')
    const last = await findCheckoutOf(unit.db, scope, visitId)
    if (last?.state === 'open' && last.feeId === fee.id) {
      unit.nothingChanged()
      return last
    }
    if (last?.state === 'open') throw refuse('wrong_state')
    const made = await beginFee(unit, fee, { kind: 'fee', key, locale, returnTo })
    unit.record('fee.charging', visitId, { feeId: fee.id, amount: fee.amount, currency: fee.currency })
    return made
  })
}

/** The checkout of a fee: on a page, or without its client. */
export async function beginFee(
  unit: Unit,
  { id: feeId, visitId, amount }: Pick<Fee, 'id' | 'visitId' | 'amount'>,
  asked: { kind: 'charge' | 'fee'; key: string | null; locale: Locale | null; returnTo: string | null },
): Promise<Checkout> {
  const now = new Date(unit.now)
  const made = await insertCheckout(unit, {
    ...asked,
    visitId,
    amount,
    payment: 'none',
    paymentMethod: 'card',
    note: null,
    until: new Date(unit.now + longestMs),
    now,
    heldAt: now,
    heldUntil: null,
    depositAmount: 0,
    feeId,
  })
  if (!made) throw refuse('wrong_state')
  return made
}
