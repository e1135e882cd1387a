import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { keepHouse } from './telling.ts'

export const sandboxJobs = (context: AppContext): Jobs => ({
  // In production there is no such house.
  keep_sandbox: async () => void (context.settings.mode === 'trial' && (await keepHouse(context))),
})
