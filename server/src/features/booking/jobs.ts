/** What is tidied up now and then. */
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { holdEnds } from './held-time-store.ts'
import { forgetOldHolds, sweepAll } from './sweeping.ts'

/** What is brought up to date in the background. */
export const bookingFills: readonly Fill[] = [holdEnds]

export const bookingJobs = (context: AppContext): Jobs => ({
  async tidy_bookings() {
    await sweepAll(context)
    await forgetOldHolds(context)
    await forgetOldKeys(context.database.db)
  },
})
