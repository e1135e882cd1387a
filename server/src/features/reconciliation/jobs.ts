import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { reconcileNight } from './service.ts'

export const reconciliationJobs = (context: AppContext): Jobs => ({
  reconcile_payments: () => reconcileNight(context),
})
