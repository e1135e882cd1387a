import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { endMembers } from './leaving.ts'

export const teamJobs = (context: AppContext): Jobs => ({
  async end_members() {
    await endMembers(context)
  },
})
