/**
 * A database that says nothing: it closes no connection, and time-outs of statements are kept by the very one that is silent. Who waits for it is told so within three seconds,
 * and it is asked again until it answers. Nothing is asked while everybody is answered in time.
 */
import { refuse } from './refuse.ts'

/** How often it is looked whether somebody waits. */
export const lookMs = 250
/** Who waits no longer than this is not asked about. */
const usualMs = 500
/** How long the question may take. */
export const answerMs = 2000

export interface Silence {
  /** The outcome of the work. @throws unavailable while the database is silent */
  guard<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

interface Waiting {
  since: number
  giveUp(): void
}

const unavailable = () => refuse('unavailable', undefined, { retryAfter: 2 })

/**
 * @param answers whether the database answers within so many milliseconds
 * @param onSilent told once when it does not
 */
export function watchSilence(answers: (ms: number) => Promise<boolean>, onSilent: () => void, longestMs: number): Silence {
  const waiting = new Set<Waiting>()
  let isSilent = false
  let isAsking = false

  const ask = async (): Promise<void> => {
    isAsking = true
    const answered = await answers(longestMs).catch(() => true)
    isAsking = false
    if (!answered && !isSilent) onSilent()
    isSilent = !answered
    if (isSilent) for (const one of waiting) one.giveUp()
  }
  const look = (): void => {
    if (isAsking) return
    // The first has waited longest.
    const [first] = waiting
    if (isSilent || (first && performance.now() - first.since > usualMs)) void ask()
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  return {
    guard(work) {
      if (isSilent) return Promise.reject(unavailable())
      return new Promise((resolve, reject) => {
        const one: Waiting = { since: performance.now(), giveUp: () => reject(unavailable()) }
        waiting.add(one)
        work()
          .then(resolve, reject)
          .finally(() => waiting.delete(one))
      })
    },
    close: () => clearInterval(timer),
  }
}
