/** What is tidied up now and then. */
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldHolds, sweepAll } from './sweeping.ts'

export const bookingJobs = (context: AppContext): Jobs => ({
  async tidy_bookings() {
    await sweepAll(context)
    await forgetOldHolds(context)
    await forgetOldKeys(context.database.db)
  },
})
