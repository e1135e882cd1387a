/** Moving on with the days, and mending what somebody changed past us. */
import type { Jobs } from '#/platform/jobs.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { catchUp } from './mending.ts'
import { rankServices } from './ranks-store.ts'

export { summaryFills } from './store.ts'

export const summaryJobs = ({ database, clock }: Pick<AppContext, 'database' | 'clock'>): Jobs => ({
  async catch_up() {
    await catchUp(database.db, clock.now())
  },
  async rank_services() {
    await rankServices(database.db, clock.now())
  },
})
