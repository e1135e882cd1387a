/** Costly work in turns: a few at once, a short line behind them of which one network fills half and in which networks take turns, and a refusal for the rest. */
import { onProcessor } from './processors.ts'
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
  /** The work keeps a processor busy, of which all such work has half; absent when it mostly waits. */
  keepsBusy?: boolean
  refusal?: () => RefusalError
}

const busy = (): RefusalError => refuse('too_many_requests', undefined, { retryAfter: 2 })

export function openTurns({ atOnce, waiting, patienceMs, keepsBusy, refusal = busy }: TurnsOptions): TakeTurn {
  let running = 0
  const line = new Set<{ key: string; enter(): void }>()
  const inside = new Map<string, number>()
  /** When somebody of a network that has anything here was let in last. */
  const letIn = new Map<string, number>()
  let count = 0
  // One alone may always come in.
  const mostOfOne = Math.max(1, Math.ceil((atOnce + waiting) / 2))

  const wait = (key: string): Promise<void> =>
    new Promise((admit, fail) => {
      const giveUp = (): void => {
        line.delete(waiting)
        fail(refusal())
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
      const enter = (): void => {
        clearTimeout(timer)
        line.delete(waiting)
        admit()
      }
      const waiting = { key, enter }
      line.add(waiting)
    })
  /** Networks take turns: a crowd from one of them makes nobody else wait for all of it. */
  const leave = (): void => {
    let [next] = line
    for (const one of line) if (next && (letIn.get(one.key) ?? 0) < (letIn.get(next.key) ?? 0)) next = one
    // Whoever finishes hands the place over, so the count stays.
    if (next) next.enter()
    else running--
  }
  return async (key, work) => {
    const own = inside.get(key) ?? 0
    if (own >= mostOfOne || (running >= atOnce && line.size >= waiting)) throw refusal()
    inside.set(key, own + 1)
    try {
      if (running < atOnce) running++
      else await wait(key)
      letIn.set(key, ++count)
      try {
        return await (keepsBusy ? onProcessor(work) : work())
      } finally {
        leave()
      }
    } finally {
      const left = (inside.get(key) ?? 1) - 1
      if (left === 0) {
        inside.delete(key)
        letIn.delete(key)
      } else inside.set(key, left)
    }
  }
}
