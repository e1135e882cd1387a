import type { AppContext } from '#/platform/app-context.ts'
import { runFills } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { missedDeposits } from './missed-deposits.ts'
import { reconcileNight } from './service.ts'

export const reconciliationJobs = (context: AppContext): Jobs => ({
  async reconcile_payments() {
    await reconcileNight(context)
    await runFills(context.database.db, [missedDeposits(context)])
  },
})
