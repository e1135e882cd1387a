/**
 * Fees are charged when the time to waive them is over, and those of missed visits before where the institute says so: begun in one transaction, asked of the provider under the id of the charge, so that it is one charge
 * whoever is killed in between, and settled by its answer or its word, whichever comes first.
 */
import { minuteMs } from '@soigne/contract/time'
import type { OpenFee } from '@soigne/contract/fees'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import { chargeableFee, dueFees, endFee, type Fee, lockFee, mayBeChargedFrom, missedOf, setFee } from '#/features/fees/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitByKey } from '#/platform/concurrency-by-key.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { beginFee } from './beginning.ts'
import { type ChargeToSend, claimCharges } from './page-store.ts'
import { settleCharge } from './settling.ts'
import { isBeingPaid } from './store.ts'

const system = systemScope('charge fees')

/** Longer than a provider can take with all its time-outs. */
const leaseMs = minuteMs
const atOnce = 20
/** Who presses twice waits for what becomes of the first. */
const oneByOne = limitByKey(1)

/** What was paid meanwhile is charged no more. */
async function beginCharge(unit: Unit, fee: Fee): Promise<void> {
  const { id } = fee
  const visit = await findVisit(unit.db, system.institute(unit.instituteId), { id: fee.visitId })
  const left = fee.kind === 'no_show' ? (visit ? await missedOf(unit, visit) : 0) : fee.amount
  if (left < fee.amount) return endFee(unit, fee, 'withdrawn')
  await setFee(unit, { id, state: 'charging' })
  await beginFee(unit, fee, { kind: 'charge', key: null, locale: null, returnTo: null })
  unit.record('fee.charging', fee.visitId, { feeId: id, amount: fee.amount, currency: fee.currency })
}

async function begin(unit: Unit, id: string): Promise<void> {
  const fee = await lockFee(unit, id)
  // While its client pays for the visit on a page, it waits.
  if (fee?.state !== 'due' || parseInstant(fee.dueAt) > unit.now || (await isBeingPaid(unit, fee.visitId))) return unit.nothingChanged()
  await beginCharge(unit, fee)
}

async function sendOne(context: AppContext, charge: ChargeToSend): Promise<void> {
  const { id, instituteId, accountId, amount, currency, institute, token, provider } = charge
  const payer = context.payments
  if (token !== null && payer?.name !== provider) throw new Error(`nobody here charges a card of ${provider}`)
  const said =
    token === null || !payer
      ? ({ state: 'failed' } as const)
      : await payer.charge({ checkoutId: id, instituteId, accountId, token, amount, currency, description: institute }, `fee:${id}`)
  await changeInstitute(context, { instituteId, by: system }, (unit) => settleCharge(unit, id, said))
}

/** Charges all that is due. What fails is tried again by the next run, under the same key. */
export async function chargeFees(context: AppContext): Promise<void> {
  const { db } = context.database
  for (const { id, instituteId } of await dueFees(db, system, { now: new Date(context.clock.now()), limit: 200 }))
    await changeInstitute(context, { instituteId, by: system }, (unit) => begin(unit, id)).catch((error: unknown) =>
      context.log.error({ err: error, fee: id }, 'a fee could not be charged'),
    )
  await sendCharges(context, null)
}

/** Of one fee, or all that nobody sends at the moment. */
async function sendCharges(context: AppContext, feeId: string | null): Promise<void> {
  for (;;) {
    const claimed = await claimCharges(context.database.db, system, { leaseMs, limit: atOnce, feeId })
    for (const charge of claimed)
      await sendOne(context, charge).catch((error: unknown) =>
        context.log.error({ err: error, checkout: charge.id }, 'a fee could not be charged'),
      )
    if (claimed.length < atOnce) return
  }
}

type Who = Requester<InstituteScope<'sales.refund'>>
/**
 * The institute does not wait until the fee of who did not come is due. Who cancels late has read that it is charged a day later. Where the provider does not
 * answer, the next run asks on. @throws not_found, wrong_state without a card, before the grace is over and once it is due no more, payment_unavailable
 */
export const chargeNow = (context: AppContext, who: Who, id: string): Promise<{ state: OpenFee['state'] }> =>
  oneByOne(id, () => charge(context, who, id))

async function charge(context: AppContext, who: Who, id: string): Promise<{ state: OpenFee['state'] }> {
  const { scope } = who
  const { instituteId } = scope
  await changeInstitute(context, { instituteId, by: scope, key: keyOf(who, { call: 'chargeFee', id }) }, async (unit) => {
    const fee = await lockFee(unit, id)
    const chargeable = await chargeableFee(unit.db, scope, id)
    if (!fee || !chargeable) throw refuse('not_found')
    const isTooSoon = unit.now < mayBeChargedFrom(fee)
    if (fee.state !== 'due' || fee.kind !== 'no_show' || isTooSoon || !chargeable.hasCard) throw refuse('wrong_state')
    if (!context.payments || !chargeable.takesPayments) throw refuse('payment_unavailable')
    if (await isBeingPaid(unit, fee.visitId)) throw refuse('wrong_state')
    await beginCharge(unit, fee)
    return {}
  })
  await sendCharges(context, id)
  const { state } = (await chargeableFee(context.database.db, scope, id)) ?? {}
  if (!state) throw refuse('not_found')
  return { state }
}
