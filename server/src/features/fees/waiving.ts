/** Fees as the institute reads and waives them. */
import type { OpenFee } from '@soigne/contract/fees'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { waiveFee } from './making.ts'
import { lockFee, openFees, unwaive } from './store.ts'
import { undoMs } from './letters.ts'

export const openFeesOf = async ({ database }: AppContext, scope: InstituteScope<'sales.read'>): Promise<OpenFee[]> =>
  (await openFees(database.db, scope)).map(({ id: _id, amount, held, currency, brand, lastFour, ...fee }) => ({
    _id,
    amount: { amount, currency },
    held: { amount: held, currency },
    card: brand === null || lastFour === null ? null : { brand, lastFour },
    ...fee,
  }))

/** @throws not_found, wrong_state where it is waived or given back already */
export const waive = (
  context: AppContext,
  scope: InstituteScope<'sales.refund'>,
  { id, reason }: { id: string; reason: string },
): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, (unit) => waiveFee(unit, id, { actor: scope.actor, reason }))

/** It is due again as it was. @throws not_found, too_late where its client was told, or where it was waived later than it was due */
export const takeBackWaiver = (context: AppContext, scope: InstituteScope<'sales.refund'>, id: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const fee = await lockFee(unit, id)
    if (!fee) throw refuse('not_found')
    if (!(await unwaive(unit, id, undoMs))) throw refuse('too_late')
    unit.record('fee.resumed', fee.visitId, { feeId: id, amount: fee.amount, currency: fee.currency })
  })
