/** A client disputes a payment at their bank: what the bank takes leaves the books at once, and comes again where it decides for the institute. */
import type { Dispute } from '@soigne/contract/payments'
import { disputed, postFor } from '#/features/ledger/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { ProviderWord } from '#/platform/payment-provider.ts'
import { changeDispute, type DisputedPayment, insertDispute, lockDispute, readDisputes, type ShownDispute } from './store.ts'

export { type DisputedPayment, findPayment } from './store.ts'

type DisputeWord = Extract<ProviderWord, { kind: 'dispute' }>

async function open(unit: Unit, provider: string, payment: DisputedPayment, word: DisputeWord): Promise<void> {
  const { checkoutId, visitId, saleId } = payment
  const { disputeId: reference, amount, currency, state, why } = word
  const answerBy = word.answerBy === null ? null : new Date(word.answerBy)
  const about = { checkoutId, visitId, saleId, provider, reference, amount, currency, state, why, answerBy, openedAt: new Date(word.at) }
  const id = await insertDispute(unit, about)
  if (saleId !== null && state !== 'won') await postFor(unit, saleId, currency, disputed(amount))
  if (state === 'open') unit.record('dispute.opened', visitId, { disputeId: id, amount, currency })
  else unit.record('dispute.ended', visitId, { disputeId: id, amount, currency, state })
}

/** A word of it, in whatever order they come. What was decided stays decided. */
export async function disputeHeard(unit: Unit, provider: string, payment: DisputedPayment, word: DisputeWord): Promise<void> {
  const known = await lockDispute(unit, provider, word.disputeId)
  if (!known) return open(unit, provider, payment, word)
  if (known.state !== 'open') return unit.nothingChanged()
  const { id, amount, currency } = known
  const { state } = word
  const answerBy = word.answerBy === null ? null : new Date(word.answerBy)
  await changeDispute(unit, { id, state, answerBy, now: new Date(unit.now) })
  if (state === 'won' && payment.saleId !== null) await postFor(unit, payment.saleId, currency, disputed(-amount))
  if (state === 'open') unit.nothingChanged()
  else unit.record('dispute.ended', payment.visitId, { disputeId: id, amount, currency, state })
}

const forWire = ({ id: _id, amount, currency, ...rest }: ShownDispute): Dispute => ({ _id, amount: { amount, currency }, ...rest })

/** People of the institute who see its money. */
type MoneyScope = InstituteScope<never>
/** Those the bank has not decided, what has to be answered soonest first. */
export const openDisputes = async (db: Db, scope: MoneyScope): Promise<Dispute[]> => (await readDisputes(db, scope, null)).map(forWire)
/** All of one sale. */
export const disputesOfSale = async (db: Db, scope: MoneyScope, saleId: string): Promise<Dispute[]> =>
  (await readDisputes(db, scope, saleId)).map(forWire)
