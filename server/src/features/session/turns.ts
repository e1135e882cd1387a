/** Costly work in turns: a few at once, a bounded line behind them, and a refusal for the rest. */
import { refuse } from '#/platform/refuse.ts'

export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** At most `atOnce` pieces of work run; `waiting` more may wait; further ones are refused with too_many_requests. */
export function concurrencyGate(atOnce: number, waiting: number): TakeTurn {
  let running = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running++
    else {
      if (line.length >= waiting) throw refuse('too_many_requests', undefined, { retryAfter: 2 })
      // Whoever finishes hands the place over, so the count stays.
      await new Promise<void>((resolve) => line.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
