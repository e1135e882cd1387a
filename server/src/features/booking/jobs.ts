/** What is tidied up now and then. */
import { forgetOldKeys } from '#/platform/idempotency.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldHolds, standings } from './store.ts'
import { sweepAll } from './sweeping.ts'

const system = systemScope('forget old holds')

export const bookingFills: readonly Fill[] = [standings]

export const bookingJobs = (context: AppContext): Jobs => ({
  async tidy_bookings() {
    await sweepAll(context)
    await forgetOldHolds(context.database.db, system, new Date(context.clock.now()))
    await forgetOldKeys(context.database.db)
  },
})
