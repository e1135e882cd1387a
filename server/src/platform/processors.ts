/**
 * Half of the processors for all work that keeps one busy, whatever its kind: searches, hashes of passwords and drawings each on their own half would together
 * take them all, and whoever books would wait for one.
 */
import { availableParallelism } from 'node:os'

export type OnProcessor = <T>(work: () => Promise<T>) => Promise<T>

/** How much such work is done at once. */
export const processorsForWork = Math.max(1, availableParallelism() >> 1)

/** First come, first served: no kind has more at once than it may alone, so that the kinds take turns. */
export function openProcessors(atOnce: number): OnProcessor {
  let running = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running++
    else await new Promise<void>((begin) => line.push(begin))
    try {
      return await work()
    } finally {
      // Whoever finishes hands the place over, so the count stays.
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}

/** The processors of this process. */
export const onProcessor = openProcessors(processorsForWork)
