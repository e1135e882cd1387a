import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { readPayouts } from './service.ts'

export const payoutJobs = (context: AppContext): Jobs => ({
  read_payouts: () => readPayouts(context),
})
