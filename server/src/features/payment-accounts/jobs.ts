import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { readAccounts } from './service.ts'

export const paymentAccountJobs = (context: AppContext): Jobs => ({
  read_payment_accounts: () => readAccounts(context),
})
