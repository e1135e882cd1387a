/** Fees as the institute reads and waives them. */
import type { OpenFee } from '@soigne/contract/fees'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { waiveFee } from './making.ts'
import { openFees } from './store.ts'

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
