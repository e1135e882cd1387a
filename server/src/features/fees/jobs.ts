import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { tellProvider } from './cards.ts'

export const feeJobs = (context: AppContext): Jobs => ({
  forget_card: (payload) => tellProvider(context, payload),
})
