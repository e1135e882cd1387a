/** What is brought up to date in the background. */
import type { Fill } from '#/platform/fills.ts'
import { standings } from './visit-store.ts'

export const visitFills: readonly Fill[] = [standings]
