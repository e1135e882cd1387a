/** Money that a provider refused to give back: who sees it, asks again, or has paid it back otherwise. */
import type { RefusedRefund } from '@soigne/contract/payments'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { addJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import { type OwedRefund, owedAnywhere } from './owed-store.ts'
import { findRefund, refundAgain, type MoneyScope, type RefusedRow, refusedRefunds, settleRefund } from './refund-store.ts'

const forWire = ({ id: _id, amount, currency, how, settledAt, settledBy, ...rest }: RefusedRow): RefusedRefund => ({
  _id,
  amount: { amount, currency },
  ...rest,
  settled: how === null || settledAt === null ? null : { how, at: settledAt, by: settledBy },
})

/** Those of the institute that wait for somebody, the last first. */
export const refusedOf = async (db: Db, scope: MoneyScope): Promise<RefusedRefund[]> => (await refusedRefunds(db, scope, null)).map(forWire)
/** All of one sale. */
export const refusedOfSale = async (db: Db, scope: MoneyScope, saleId: string): Promise<RefusedRefund[]> =>
  (await refusedRefunds(db, scope, saleId)).map(forWire)

type Refunder = InstituteScope<'sales.refund'>
async function refundOf(unit: Unit, scope: Refunder, id: string) {
  const refund = await findRefund(unit.db, scope, id)
  if (refund?.instituteId !== unit.instituteId) throw refuse('not_found')
  return refund
}

/** One that is sent at the moment, or has gone back meanwhile, is left alone. @throws not_found, wrong_state where it was paid back otherwise */
export const sendAgain = (context: AppContext, scope: Refunder, id: string): Promise<{ _id: string; state: 'waiting' | 'done' }> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const { visitId } = await refundOf(unit, scope, id)
    if (await refundAgain(unit, id)) {
      unit.record('refund.retried', visitId, { refundId: id })
      await addJob(unit.db, 'send_refunds', {}, { key: 'send_refunds' })
      return { _id: id, state: 'waiting' }
    }
    const { state } = await refundOf(unit, scope, id)
    if (state === 'failed') throw refuse('wrong_state')
    unit.nothingChanged()
    return { _id: id, state }
  })

/** The books have it as given back already. Noted twice, the first note stays. @throws not_found, wrong_state where it was not refused */
export const settle = (context: AppContext, scope: Refunder, { id, how }: { id: string; how: string }): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const { visitId } = await refundOf(unit, scope, id)
    if (await settleRefund(unit, { id, how, by: scope.actor })) return unit.record('refund.settled', visitId, { refundId: id })
    if (!(await refundOf(unit, scope, id)).isSettled) throw refuse('wrong_state')
    unit.nothingChanged()
  })

/** For who runs the site: what waits for somebody, the oldest first. */
export const owedRefunds = ({ database }: Pick<AppContext, 'database'>, limit: number): Promise<OwedRefund[]> =>
  owedAnywhere(database.db, systemScope('list refunds that are owed'), limit)
