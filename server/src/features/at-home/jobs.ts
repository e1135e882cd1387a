import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetHomes } from './store.ts'

const system = systemScope('forget where visits were')

export const homeJobs = ({ database, clock }: Pick<AppContext, 'database' | 'clock'>): Jobs => ({
  async tidy_home_addresses() {
    await forgetHomes(database.db, system, new Date(clock.now()))
  },
})
