import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { askForReviews } from './asking.ts'
import { ratingsOfNobody } from './store.ts'

export const reviewFills: readonly Fill[] = [ratingsOfNobody]

export const reviewJobs = (context: AppContext): Jobs => ({
  ask_for_reviews: () => askForReviews(context),
})
