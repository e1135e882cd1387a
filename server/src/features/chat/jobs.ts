import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { writeOfUnread } from './unread-letters.ts'

export const chatJobs = (context: AppContext): Jobs => ({
  write_of_unread: () => writeOfUnread(context),
})
