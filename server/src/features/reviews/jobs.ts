import type { Fill } from '#/platform/fills.ts'
import { ratingsOfNobody } from './store.ts'

export const reviewFills: readonly Fill[] = [ratingsOfNobody]
