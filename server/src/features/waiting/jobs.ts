import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldEntries, offerEverywhere, offerTimes } from './offering.ts'

export const waitingJobs = (context: AppContext): Jobs => ({
  offer_times: async (payload) => offerTimes(context, (payload as { instituteId: string }).instituteId),
  async offer_waiting() {
    await offerEverywhere(context)
    await forgetOldEntries(context)
  },
})
