/** Leave that was changed past us, or was there before the wall knew it. */
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { markAbsences } from './leave-store.ts'
import { reckonAllLeave } from './reckoning.ts'

export const leaveFills: readonly Fill[] = [markAbsences]

export const leaveJobs = (context: AppContext): Jobs => ({
  async reckon_leave() {
    await reckonAllLeave(context)
  },
})
