/** Moving on with the days, and mending what somebody changed past us. */
import type { Jobs } from '#/platform/jobs.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { catchUp } from './service.ts'

/** One run of the job does no more, so that others get their turn. */
const mostAtOnce = 500

export const summaryJobs = ({ database, clock }: Pick<AppContext, 'database' | 'clock'>): Jobs => ({
  async catch_up() {
    await catchUp(database.db, clock.now(), mostAtOnce)
  },
})
