/** Money that a provider refused to give back: who sees it, and asks again. */
import type { RefusedRefund } from '@soigne/contract/payments'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { addJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import { findRefund, refundAgain, type RefundReader, type RefusedRow, refusedRefunds } from './refund-store.ts'

const forWire = ({ id: _id, amount, currency, ...rest }: RefusedRow): RefusedRefund => ({ _id, amount: { amount, currency }, ...rest })

/** All of the institute, the last first. */
export const refusedOf = async (db: Db, scope: RefundReader): Promise<RefusedRefund[]> =>
  (await refusedRefunds(db, scope, null)).map(forWire)
/** Those of one sale. */
export const refusedOfSale = async (db: Db, scope: RefundReader, saleId: string): Promise<RefusedRefund[]> =>
  (await refusedRefunds(db, scope, saleId)).map(forWire)

/** One that is sent at the moment, or has gone back meanwhile, is left alone. */
export async function sendAgain(context: AppContext, scope: InstituteScope<'sales.refund'>, id: string) {
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const refund = await findRefund(unit.db, scope, id)
    if (refund?.instituteId !== unit.instituteId) throw refuse('not_found')
    if (await refundAgain(unit, id)) {
      unit.record('refund.retried', refund.visitId, { refundId: id })
      await addJob(unit.db, 'send_refunds', {}, { key: 'send_refunds' })
      return { _id: id, state: 'waiting' as const }
    }
    unit.nothingChanged()
    return { _id: id, state: refund.state }
  })
}
