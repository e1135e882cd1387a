/** Costly work in turns: a few at once, a short line behind them of which one network fills more than half, and a refusal for the rest. */
import { type RefusalError, refuse } from './refuse.ts'

/** @param key whom the work is for: a network */
export type TakeTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export interface TurnsOptions {
  /** Pieces of work under way. */
  atOnce: number
  /** Pieces that may wait. */
  waiting: number
  /** How long one waits at most, in milliseconds; without an end when absent. */
  patienceMs?: number
  refusal?: () => RefusalError
}

const busy = (): RefusalError => refuse('too_many_requests', undefined, { retryAfter: 2 })

export function openTurns({ atOnce, waiting, patienceMs, refusal = busy }: TurnsOptions): TakeTurn {
  let running = 0
  const line = new Set<() => void>()
  const inside = new Map<string, number>()
  // One alone may always come in.
  const mostOfOne = Math.max(1, Math.ceil((atOnce + waiting) / 2))

  const wait = (): Promise<void> =>
    new Promise((admit, fail) => {
      const enter = (): void => {
        clearTimeout(timer)
        admit()
      }
      const giveUp = (): void => {
        line.delete(enter)
        fail(refusal())
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
      line.add(enter)
    })
  const leave = (): void => {
    const [next] = line
    if (!next) return void running--
    // Whoever finishes hands the place over, so the count stays.
    line.delete(next)
    next()
  }
  return async (key, work) => {
    const own = inside.get(key) ?? 0
    if (own >= mostOfOne || (running >= atOnce && line.size >= waiting)) throw refusal()
    inside.set(key, own + 1)
    try {
      if (running < atOnce) running++
      else await wait()
      try {
        return await work()
      } finally {
        leave()
      }
    } finally {
      const left = (inside.get(key) ?? 1) - 1
      if (left === 0) inside.delete(key)
      else inside.set(key, left)
    }
  }
}
