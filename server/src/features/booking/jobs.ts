/** What is tidied up now and then. */
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldHolds, sweepAll } from './sweeping.ts'
import { standings } from './visit-store.ts'

export const bookingFills: readonly Fill[] = [standings]

export const bookingJobs = (context: AppContext): Jobs => ({
  async tidy_bookings() {
    await sweepAll(context)
    await forgetOldHolds(context)
    await forgetOldKeys(context.database.db)
  },
})
