import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldLimits } from '#/platform/limits.ts'
import { forgetOldSessions } from './store.ts'

export const sessionJobs = ({ database: { db }, clock }: AppContext): Jobs => ({
  /** Sessions and counts that have run out. */
  async tidy_sessions() {
    await forgetOldSessions(db, new Date(clock.now()))
    // Counts go by the machine's clock.
    await forgetOldLimits(db, Date.now())
  },
})
