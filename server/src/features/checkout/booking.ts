/** Booking a hold: at once where nothing is paid first, else by a page on which it is paid. And what a hold is paid with, as its holder reads it. */
import type { Appointment } from '@soigne/contract/appointments'
import type { HoldPayment } from '@soigne/contract/payments'
import type { PaymentMethod } from '@soigne/contract/wire'
import { type Confirmation, confirm, type Requester } from '#/features/booking/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { needsAccount, takesAmount } from '#/platform/payment-provider.ts'
import { RefusalError, refuse, refuseField } from '#/platform/refuse.ts'
import { openCheckout, openFee, openRest } from './beginning.ts'
import { openPage } from './opening.ts'
import { type PaymentRule, ruleOf } from './page-store.ts'
import { settlePage } from './settling.ts'
import { type Checkout, findCheckoutByKey, findCheckoutOf } from './store.ts'

const system = systemScope('give up a checkout')

type Who = Requester<SelfScope<true>>
export interface BookAsked extends Confirmation {
  pay?: 'deposit' | 'all' | undefined
  returnTo?: string | undefined
}

const ruleFor = ({ database, payments }: AppContext, scope: SelfScope, visit: { id: string }) =>
  ruleOf(database.db, scope, { visitId: visit.id, needsAccount: needsAccount(payments) })

/** What is asked for online before a visit like this one, as rules are now; 0 where nothing is. */
export const firstPaymentOf = async ({ payments }: AppContext, db: Db, scope: SelfScope, visitId: string): Promise<number> =>
  (await ruleOf(db, scope, { visitId, needsAccount: needsAccount(payments) })).first

/** @throws payment_unavailable where nothing is taken online, bad_input for a way the institute does not take */
function methodOf(context: AppContext, { methods }: PaymentRule, asked: PaymentMethod | undefined): PaymentMethod {
  const [first] = methods
  if (!context.payments || first === undefined) throw refuse('payment_unavailable')
  if (asked !== undefined && !methods.includes(asked)) throw refuseField('paymentMethod', 'invalid')
  return asked ?? first
}

const appointmentOf = async (context: AppContext, who: Who, checkout: Checkout): Promise<Appointment> => {
  const { appointment } = await openPage(context, who, checkout)
  if (!appointment) throw refuse('wrong_state')
  return appointment
}

/** What was opened under the key of the request. @throws idempotency_conflict for a key of something else */
async function openedBefore(context: AppContext, { scope, idempotencyKey: key }: Who, visitId: string): Promise<Checkout | null> {
  const known = key === null ? null : await findCheckoutByKey(context.database.db, scope, key)
  if (known && known.visitId !== visitId) throw refuse('idempotency_conflict')
  return known
}

/** Ends the open checkout of a hold, on its page first: nothing can be paid there any more. Paid meanwhile, it is paid. */
export async function giveUp(context: AppContext, { id, instituteId, accountId, pageId }: Checkout): Promise<void> {
  const closed =
    pageId === null
      ? null
      : await context.payments?.closePage(pageId, accountId).catch((error: unknown) => {
          context.log.warn({ err: error, checkout: id }, 'a page to pay on could not be closed')
          throw refuse('payment_unavailable')
        })
  const page = closed?.state === 'paid' ? closed : ({ state: 'cancelled' } as const)
  await changeInstitute(context, { instituteId, by: system }, (unit) => settlePage(unit, id, page))
}

/** A card is kept where a fee may be more than what is paid with the booking. */
const keepsCardFor = ({ lateFee, noShowFee }: PaymentRule, paid: number): boolean => Math.max(lateFee, noShowFee) > paid

/** Opens the checkout of a hold, and its page. Another one that is open is given up. */
async function payFirst(context: AppContext, who: Who, asked: BookAsked): Promise<Appointment> {
  await who.scope.proof?.ask()
  const { db } = context.database
  const { holdId, pay, paymentMethod, note, returnTo } = asked
  const known = await openedBefore(context, who, holdId)
  if (known) return appointmentOf(context, who, known)
  const visit = await findVisit(db, who.scope, { id: holdId })
  if (!visit) throw refuse('not_found')
  const rule = await ruleFor(context, who.scope, visit)
  const amount = pay === 'all' ? visit.totalAmount : rule.first
  const keepsCard = keepsCardFor(rule, amount)
  if (amount === 0 && !keepsCard) throw refuse('wrong_state')
  const method = methodOf(context, keepsCard ? { ...rule, methods: ['card'] } : rule, paymentMethod)
  const last = await findCheckoutOf(db, who.scope, holdId)
  if (last?.state === 'open' && (last.amount !== amount || last.paymentMethod !== method)) await giveUp(context, last)
  const { lateFee, noShowFee, graceMinutes, deposit } = rule
  const fees = { lateFee, noShowFee, graceMinutes, keepsCard }
  const order = { holdId, amount, deposit, fees, paymentMethod: method, note: note || null, returnTo: returnTo ?? null }
  return appointmentOf(context, who, await openCheckout(context, who, order))
}

/** A hold that waits for its checkout already, or was booked by it under the same key. */
async function isPaidFirst(context: AppContext, who: Who, { holdId }: BookAsked): Promise<boolean> {
  if (await openedBefore(context, who, holdId)) return true
  const visit = await findVisit(context.database.db, who.scope, { id: holdId })
  if (visit?.payment !== 'awaiting') return false
  const rule = await ruleFor(context, who.scope, visit)
  return rule.first > 0 || keepsCardFor(rule, 0)
}

/** @throws payment_unavailable, hold_expired, wrong_state */
export async function book(context: AppContext, who: Who, asked: BookAsked): Promise<Appointment> {
  const visit = asked.pay === 'all' ? await findVisit(context.database.db, who.scope, { id: asked.holdId }) : null
  if (visit && visit.totalAmount > 0) return payFirst(context, who, asked)
  try {
    const booked = await confirm(context, who, asked)
    if (booked) return booked
  } catch (error) {
    if (!(error instanceof RefusalError) || !['wrong_state', 'hold_expired'].includes(error.code)) throw error
    if (!(await isPaidFirst(context, who, asked))) throw error
  }
  return payFirst(context, who, asked)
}

/** Where what is left of a visit is paid. */
export async function payVisit(
  context: AppContext,
  who: Who,
  { id, paymentMethod, returnTo }: { id: string; paymentMethod?: PaymentMethod | undefined; returnTo?: string | undefined },
): Promise<{ payment: { url: string } }> {
  const { db } = context.database
  const known = await openedBefore(context, who, id)
  if (known) return { payment: { url: (await openPage(context, who, known)).url } }
  const visit = await findVisit(db, who.scope, { id })
  if (!visit || visit.life === 'held') throw refuse('not_found')
  const method = methodOf(context, await ruleFor(context, who.scope, visit), paymentMethod)
  const last = await findCheckoutOf(db, who.scope, id)
  if (last?.state === 'open' && last.paymentMethod !== method) await giveUp(context, last)
  const checkout = await openRest(context, who, { visitId: id, paymentMethod: method, returnTo: returnTo ?? null })
  return { payment: { url: (await openPage(context, who, checkout)).url } }
}

/** Where a fee is paid that could not be charged. */
export async function payFee(
  context: AppContext,
  who: Who,
  { id, returnTo }: { id: string; returnTo?: string | undefined },
): Promise<{ payment: { url: string } }> {
  const known = await openedBefore(context, who, id)
  const checkout = known ?? (await openFee(context, who, { visitId: id, returnTo: returnTo ?? null }))
  return { payment: { url: (await openPage(context, who, checkout)).url } }
}

/** What a hold of one's own is paid with; still told once it is a visit. */
export async function holdPayment(context: AppContext, scope: SelfScope, id: string): Promise<HoldPayment> {
  const { db } = context.database
  const visit = await findVisit(db, scope, { id })
  if (!visit) throw refuse('not_found')
  const { currency, totalAmount } = visit
  const rule = await ruleFor(context, scope, visit)
  const last = await findCheckoutOf(db, scope, id)
  return {
    total: { amount: totalAmount, currency },
    deposit: { amount: rule.first, currency },
    payAtSalon: rule.payAtSalon,
    canPayAll: takesAmount(context.payments, totalAmount, currency),
    methods: context.payments ? rule.methods : [],
    fees: {
      lateCancel: { amount: rule.lateFee, currency },
      noShow: { amount: rule.noShowFee, currency },
      graceMinutes: rule.graceMinutes,
    },
    checkout: last && {
      _id: last.id,
      state: last.state,
      method: last.paymentMethod,
      amount: { amount: last.amount, currency: last.currency },
      url: last.state === 'open' ? last.url : null,
    },
    booked: visit.life !== 'held',
  }
}

export async function giveUpPayment(context: AppContext, scope: SelfScope<true>, id: string): Promise<HoldPayment> {
  const last = await findCheckoutOf(context.database.db, scope, id)
  if (last?.state === 'open') await giveUp(context, last)
  return holdPayment(context, scope, id)
}
