import { dayMs } from '@soigne/contract/time'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldLinks } from './store.ts'

export const passwordJobs = ({ database: { db }, clock }: AppContext): Jobs => ({
  /** Links of reset that ran out more than a day ago. */
  async tidy_links() {
    await forgetOldLinks(db, new Date(clock.now() - dayMs))
  },
})
