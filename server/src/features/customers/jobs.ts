/** What is brought up to date in the background. */
import type { Fill } from '#/platform/fills.ts'
import { keys } from './keys-store.ts'

export const customerFills: readonly Fill[] = [keys]
