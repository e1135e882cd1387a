/**
 * What becomes of a checkout. A payment books the hold, or is the rest of a visit; one that arrives after the time was let go has the same time if it is still
 * free, else it goes back by itself, as does every further payment of one hold. Declined or given up, nothing was taken and the same hold goes on.
 */
import { minuteMs } from '@soigne/contract/time'
import { freeLapsed, freeTime, letGo } from '#/features/booking/service.ts'
import { keepNoMore, moveMoney, takeMoney } from '#/features/ledger/service.ts'
import { acceptFee, agreeFees, endFee, lockFee, putCard } from '#/features/fees/service.ts'
import { type ChargeState, type KeptCard, type PageState, refundLate, refundWaived } from '#/features/payments/service.ts'
import { noteOfPayment } from '#/features/security/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { invoiceVisit } from './invoicing.ts'
import { paidOf } from './page-store.ts'
import { type Checkout, confirmHeld, endCheckout, goOn, lockCheckout, markPaid, setDeposit, takeTimeAgain } from './store.ts'

/** Payments arrive from outside, and are booked for whoever paid. */
const system = systemScope('settle checkouts')

/** The longest a hold is kept, from its making, and the least it goes on for when nothing was taken. */
const longestMs = 45 * minuteMs
const leastMs = 5 * minuteMs

export const timesOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => ({ startsAt, endsAt })

/** What a provider says of a payment that is there. */
type Paid = Pick<Extract<PageState, { state: 'paid' }>, 'reference' | 'card'>

/** What became of a payment: the visit is booked or its rest paid, or the money goes back. */
export type Settled = 'booked' | 'refund_due'

type Visit = NonNullable<Awaited<ReturnType<typeof findVisit>>>
const visitOf = (unit: Unit, id: string): Promise<Visit | null> =>
  findVisit(unit.db, system.institute(unit.instituteId), { id, lock: true })

/** @throws for one that is not of the institute: whoever calls has read it there */
async function locked(unit: Unit, id: string): Promise<Checkout> {
  const checkout = await lockCheckout(unit, id)
  if (!checkout) throw new Error(`no checkout ${id}`)
  return checkout
}

/** A hold that has waited is booked; one that has run out or was let go has its time again if nobody took it. */
async function bookHold(unit: Unit, checkout: Checkout, visit: Visit): Promise<boolean> {
  if (checkout.userId === null) return false
  if (parseInstant(visit.expiresAt ?? '') > unit.now && (await confirmHeld(unit, checkout))) return true
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

async function accept(unit: Unit, checkout: Checkout): Promise<boolean> {
  if (checkout.feeId !== null) return acceptFee(unit, checkout.feeId, checkout.id, system.actor)
  const visit = await visitOf(unit, checkout.visitId)
  if (!visit) return false
  if (visit.life === 'held') return checkout.kind === 'hold' && bookHold(unit, checkout, visit)
  // One card is enough.
  if (visit.life !== 'booked' || checkout.amount === 0) return false
  if (checkout.kind === 'rest' && (await paidOf(unit.db, system, unit.instituteId, visit.id)) + checkout.amount !== visit.totalAmount)
    return false
  return markPaid(unit, checkout)
}

/** What was accepted with the booking, and the card that is kept for it. */
async function agree(unit: Unit, checkout: Checkout, card: KeptCard | undefined): Promise<void> {
  const { visitId, userId, keepsCard, lateFee: late, noShowFee: noShow, graceMinutes } = checkout
  if (late === 0 && noShow === 0) return
  const { provider, accountId } = checkout
  const cardId =
    keepsCard && card && userId !== null && provider !== null ? await putCard(unit, { ...card, userId, provider, accountId }) : null
  await agreeFees(unit, visitId, { late, noShow, graceMinutes, cardId })
}

/** What was taken stands in the books with what it was taken for; a visit that is paid has its invoice. */
async function take(unit: Unit, checkout: Checkout, { reference, card }: Paid): Promise<void> {
  const visit = await visitOf(unit, checkout.visitId)
  if (!visit) throw new Error('a visit that was booked is gone')
  const { id, amount, currency, paymentMethod: method, payment, kind } = checkout
  if (kind === 'hold') {
    await setDeposit(unit, checkout)
    await agree(unit, checkout, card)
  }
  if (amount === 0) return
  const movement = await moveMoney(unit, system.actor, { id: visit.id, appointmentId: visit.id, customerId: visit.customerId })
  await takeMoney(movement, { kind: payment === 'paid' ? 'payment' : 'deposit', method, amount, checkoutId: id, reference })
  if (payment === 'paid') {
    await keepNoMore(movement)
    await invoiceVisit(movement, visit)
  }
  unit.record('sale.taken', visit.id, { amount, currency })
}

/** The money is there. Told any number of times, it books once; it never refuses, since what has been paid is true. */
export async function settleCheckout(unit: Unit, id: string, paid: Paid): Promise<Settled> {
  const checkout = await locked(unit, id)
  if (checkout.state === 'paid' || checkout.state === 'refund_due') {
    unit.nothingChanged()
    return checkout.state === 'paid' ? 'booked' : 'refund_due'
  }
  const isAccepted = await accept(unit, checkout)
  const { amount, currency, visitId } = checkout
  if (!isAccepted && amount === 0) {
    // Nothing was paid, and nobody needs the card.
    await endCheckout(unit, id, 'expired')
    unit.record('checkout.abandoned', visitId, { checkoutId: id, why: 'expired' })
    return 'refund_due'
  }
  await endCheckout(unit, id, isAccepted ? 'paid' : 'refund_due', paid.reference)
  if (!isAccepted) await (checkout.feeId === null ? refundLate : refundWaived)(unit, { checkoutId: id, visitId, amount, currency })
  else if (checkout.feeId === null) await take(unit, checkout, paid)
  unit.record('checkout.settled', visitId, { checkoutId: id, amount, currency, outcome: isAccepted ? 'booked' : 'refund_due' })
  return isAccepted ? 'booked' : 'refund_due'
}

/** What the hold had left when its checkout began, at least five minutes, and never more than 45 from its making. */
function endOfHold({ heldAt, begunAt, heldUntil }: Checkout, now: number): number {
  const left = parseInstant(heldUntil ?? begunAt) - parseInstant(begunAt)
  return Math.min(now + Math.max(left, leastMs), parseInstant(heldAt) + longestMs)
}

/** Nothing was taken. The hold goes on, unless its time was all over: then it is free at once. */
export async function abandonCheckout(unit: Unit, id: string, why: 'cancelled' | 'failed' | 'expired'): Promise<void> {
  const checkout = await locked(unit, id)
  if (checkout.state !== 'open') return unit.nothingChanged()
  await endCheckout(unit, id, why)
  const { visitId, kind } = checkout
  const until = endOfHold(checkout, unit.now)
  const isGoingOn = kind === 'hold' && why !== 'expired' && until > unit.now && (await goOn(unit, visitId, new Date(until)))
  unit.record('checkout.abandoned', visitId, { checkoutId: id, why, ...(isGoingOn && { until: instantText(until) }) })
  if (isGoingOn || kind !== 'hold') return
  const freed = await letGo(unit, visitId)
  if (freed) unit.record('visit.released', visitId, freed)
}

/** What a provider says of a page. Another sum than was asked for books nothing and is noted. */
export async function settlePage(unit: Unit, id: string, page: PageState): Promise<void> {
  if (page.state === 'open') return unit.nothingChanged()
  const { amount, currency, userId, state, until } = await locked(unit, id)
  // One that we close is told to have run out, which may be heard before we have noted why: only its end is the end of the hold.
  const isEarly = page.state === 'expired' && parseInstant(until) > unit.now
  if (page.state !== 'paid') return abandonCheckout(unit, id, isEarly ? 'cancelled' : page.state)
  if (page.amount === amount && page.currency === currency) return void (await settleCheckout(unit, id, page))
  if (state !== 'open') return unit.nothingChanged()
  const details = { checkout: id, asked: `${amount} ${currency}`, paid: `${page.amount} ${page.currency}`, reference: page.reference }
  await noteOfPayment(unit.db, { kind: 'payment.differs', userId, at: instantText(unit.now), details })
  await abandonCheckout(unit, id, 'failed')
}

/** What a provider says of a charge without its client. */
export async function settleCharge(unit: Unit, id: string, said: ChargeState): Promise<void> {
  const { state, feeId } = await locked(unit, id)
  if (said.state === 'paid') return settlePage(unit, id, said)
  if (state !== 'open') return unit.nothingChanged()
  await endCheckout(unit, id, 'failed')
  const fee = feeId === null ? null : await lockFee(unit, feeId)
  if (fee?.state === 'charging') await endFee(unit, fee, said.state === 'asks' ? 'asked' : 'unpaid')
  else unit.nothingChanged()
}
