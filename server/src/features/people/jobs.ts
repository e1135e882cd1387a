import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldInvitations } from './members-store.ts'

const system = systemScope('forget old invitations')

export const peopleJobs = ({ database, clock }: Pick<AppContext, 'database' | 'clock'>): Jobs => ({
  async tidy_invitations() {
    await forgetOldInvitations(database.db, system, new Date(clock.now()))
  },
})
