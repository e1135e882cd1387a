/**
 * Paying for a hold before it becomes an appointment. While its checkout is open the hold keeps its time, at most 45 minutes from its making, counts among its
 * holder's live holds and can be booked by its payment only. A payment that arrives after that has the same time if it is still free; else it is due back.
 */
import { minuteMs } from '@soigne/contract/time'
import type { PaymentMethod } from '@soigne/contract/wire'
import { freeLapsed, freeTime, instituteOfHold, letGo, type Requester } from '#/features/booking/service.ts'
import { findVisit, stateOf, stepFrom } from '#/features/visits/service.ts'
import { changeInstitute, changeWithin, type Unit } from '#/features/unit-of-work/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { doBeyond, type WorkBeyond } from '#/platform/claimed-keys.ts'
import { isKeyKept } from '#/platform/idempotency.ts'
import { parseInstant } from '#/platform/instants.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import {
  awaitPayment,
  type Checkout,
  confirmHeld,
  endCheckout,
  findCheckoutOf,
  insertCheckout,
  lockCheckout,
  markPaid,
  takeTimeAgain,
} from './store.ts'

export type { Checkout } from './store.ts'

/** Payments arrive from outside, and are booked for whoever paid. */
const system = systemScope('settle checkouts')

/** What is paid for a hold before it is an appointment: all of it or a deposit. */
export interface CheckoutOrder {
  holdId: string
  /** Minor units of the visit's currency. */
  amount: number
  paymentMethod: PaymentMethod
  note?: string | null
}

/** Opens the checkout of a live hold, which waits for it until then; the one that is open already is given again. */
export async function beginCheckout(unit: Unit, scope: SelfScope<true>, order: CheckoutOrder, minutes: number): Promise<Checkout> {
  const { holdId: id, amount } = order
  const visit = await findVisit(unit.db, scope, { id, lock: true })
  if (!visit) throw refuse('not_found')
  if (visit.life === 'held' && parseInstant(visit.expiresAt ?? '') <= unit.now) throw refuse('hold_expired')
  const open = await findCheckoutOf(unit.db, scope, id)
  if (open?.state === 'open' && visit.payment === 'awaiting') {
    unit.nothingChanged()
    return open
  }
  if (open || !stepFrom('begin_checkout', stateOf(visit), 'client')) throw refuse('wrong_state')
  if (amount <= 0 || amount > visit.totalAmount) throw new Error(`${amount} is not what is paid for a visit of ${visit.totalAmount}`)
  // A hold that was extended keeps what it has.
  const until = Math.max(parseInstant(visit.createdAt) + minutes * minuteMs, parseInstant(visit.expiresAt ?? ''))
  const payment = amount < visit.totalAmount ? 'deposit_paid' : 'paid'
  const { paymentMethod, note = null } = order
  const made = await insertCheckout(unit, {
    visitId: id,
    amount,
    payment,
    paymentMethod,
    note,
    until: new Date(until),
    now: new Date(unit.now),
  })
  if (!made || !(await awaitPayment(unit, id, new Date(until)))) throw refuse('hold_expired')
  unit.record('checkout.begun', id, { ...timesOf(visit), checkoutId: made.id, amount, currency: made.currency, until: made.until })
  return made
}

const timesOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => ({ startsAt, endsAt })

/** What became of a payment: the visit is booked, or the money has to go back. */
export type Settled = 'booked' | 'refund_due'

/** The money is there. Told any number of times, it books once; it never refuses, since what has been paid is true. */
export async function settleCheckout(unit: Unit, id: string, reference: string): Promise<Settled> {
  const checkout = await lockCheckout(unit, id)
  if (!checkout) throw new Error(`no checkout ${id}`)
  if (checkout.state === 'paid' || checkout.state === 'refund_due') {
    unit.nothingChanged()
    return checkout.state === 'paid' ? 'booked' : 'refund_due'
  }
  const visit = await findVisit(unit.db, system.institute(unit.instituteId), { id: checkout.visitId, lock: true })
  const isBooked =
    visit !== null &&
    (visit.life === 'held' ? await bookHold(unit, checkout, visit) : visit.life === 'booked' && (await markPaid(unit, checkout)))
  await endCheckout(unit, id, isBooked ? 'paid' : 'refund_due', reference)
  const { amount, currency, visitId } = checkout
  unit.record('checkout.settled', visitId, { checkoutId: id, amount, currency, outcome: isBooked ? 'booked' : 'refund_due' })
  return isBooked ? 'booked' : 'refund_due'
}

type Held = NonNullable<Awaited<ReturnType<typeof findVisit>>>

/** A hold that has waited is booked; one that has run out or was let go has its time again if nobody took it. */
async function bookHold(unit: Unit, checkout: Checkout, visit: Held): Promise<boolean> {
  if (checkout.userId === null) return false
  if (visit.payment === 'awaiting' && (await confirmHeld(unit, checkout))) return true
  // What is left of its own time, and the time of others that have run out, would stand in the way.
  const isLapsing = (await freeTime(unit, visit.id)) > 0
  await freeLapsed(unit)
  if (parseInstant(visit.startsAt) > unit.now && (await takeTimeAgain(unit, checkout, new Date(unit.now + minuteMs)))) {
    if (!(await confirmHeld(unit, checkout))) throw new Error('time that was taken again could not be booked')
    return true
  }
  if (isLapsing) unit.record('visit.lapsed', visit.id, timesOf(visit))
  return false
}

/** The checkout came to nothing: the client gave up, the payment failed for good, or the page ran out. Its time is free at once. */
export async function abandonCheckout(unit: Unit, id: string, why: 'cancelled' | 'failed' | 'expired'): Promise<void> {
  const checkout = await lockCheckout(unit, id)
  if (!checkout) throw new Error(`no checkout ${id}`)
  if (checkout.state !== 'open') return unit.nothingChanged()
  await endCheckout(unit, id, why)
  const { visitId } = checkout
  unit.record('checkout.abandoned', visitId, { checkoutId: id, why })
  const freed = await letGo(unit, visitId)
  if (freed) unit.record('visit.released', visitId, freed)
}

/** Whoever takes money. The same key means the same payment, however often it is sent. */
export interface PaymentProvider {
  take(
    payment: { checkoutId: string; amount: number; currency: string; method: PaymentMethod },
    key: string,
  ): Promise<{ paid: boolean; reference: string }>
}

interface Claimed {
  checkoutId: string
  instituteId: string
  amount: number
  currency: string
  method: PaymentMethod
}
export interface Paid {
  visitId: string
  outcome: Settled | 'declined'
}

/** The payment of a checkout as work beyond the database (`docs/decisions/019`): who asked, or the job, finishes it, and it happens once. */
export const payingAt = (
  context: AppContext,
  provider: PaymentProvider,
): WorkBeyond<Claimed, { paid: boolean; reference: string }, Paid> => ({
  kind: 'checkout',
  beyond: ({ checkoutId, amount, currency, method }, key) => provider.take({ checkoutId, amount, currency, method }, key),
  effect: (transaction, { checkoutId, instituteId }, { paid, reference }) =>
    changeWithin(context, transaction, { instituteId, by: system }, async (unit) => {
      const { visitId } = (await lockCheckout(unit, checkoutId)) ?? { visitId: '' }
      if (paid) return { visitId, outcome: await settleCheckout(unit, checkoutId, reference) }
      await abandonCheckout(unit, checkoutId, 'failed')
      return { visitId, outcome: 'declined' }
    }),
})

/** Opens the checkout of one's own hold, or finds the one that is open. */
export async function openCheckout(context: AppContext, { scope }: Requester<SelfScope<true>>, order: CheckoutOrder): Promise<Checkout> {
  const found = await instituteOfHold(context.database.prepared, scope, order.holdId)
  if (!found) throw refuse((await findVisit(context.database.prepared, scope, { id: order.holdId })) ? 'wrong_state' : 'not_found')
  return changeInstitute(context, { ...found, by: scope }, (unit) => beginCheckout(unit, scope, order, context.settings.checkoutMinutes))
}

/** Pays for a hold and books it, under a key: asked again after anything that went wrong on the way, it goes on where that ended. */
export async function payForHold(
  context: AppContext,
  who: Requester<SelfScope<true>> & { idempotencyKey: string },
  provider: PaymentProvider,
  order: CheckoutOrder,
): Promise<Paid> {
  const { db } = context.database
  const { userId } = who.scope
  const key = who.idempotencyKey
  const isBegun = (): Promise<boolean> => isKeyKept(db, { userId, key })
  const known = () => findCheckoutOf(db, who.scope, order.holdId)
  const open = async (): Promise<Checkout | null> => {
    try {
      return await openCheckout(context, who, order)
    } catch (error) {
      // The same request came twice, and the other one has been through since.
      if (error instanceof RefusalError && (await isBegun())) return known()
      throw error
    }
  }
  const checkout = (await isBegun()) ? await known() : await open()
  if (!checkout) throw refuse('idempotency_conflict')
  const { id: checkoutId, instituteId, amount, currency, paymentMethod } = checkout
  const request: Claimed = { checkoutId, instituteId, amount, currency, method: paymentMethod }
  return doBeyond(db, payingAt(context, provider), { userId, key, request }, context.patienceMs)
}
