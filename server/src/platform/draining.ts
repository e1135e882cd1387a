/** How a process ends when it is told to: it says that it will, serves on until balancers have heard, and then answers what is under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A request that never ends must not keep the process, nor what it has to leave behind in order. */
const closeMs = 9000
const leaveMs = 6000

export interface Drained {
  /** From now on `/ready` says 503; everything else is served as before. */
  announce(): void
  /** Closes the socket, answers what is under way and lets go of everything. */
  close(): Promise<void>
  /** What must not go on without us ends, also where closing took too long. */
  leave?(): Promise<void>
}

/** Whether the work came to a good end in time. */
const within = (ms: number, work: () => Promise<void>, log: Log): Promise<boolean> =>
  Promise.race([
    work().then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'not everything could be closed')
        return false
      },
    ),
    sleep(ms, false, { ref: false }),
  ])

/** Ends the process on SIGTERM, SIGINT or SIGHUP, `seconds` after it has been announced; a second signal does not wait for that. `longestMs`: what closing may take. */
export function drainOnSignals(
  drained: Drained,
  { seconds, log, longestMs = closeMs }: { seconds: number; log: Log; longestMs?: number },
): { isEnding(): boolean } {
  let hurry: AbortController | null = null
  const end = async (signal: string): Promise<void> => {
    if (hurry) return hurry.abort()
    hurry = new AbortController()
    log.info({ signal, seconds }, 'draining')
    drained.announce()
    await sleep(seconds * 1000, undefined, { signal: hurry.signal }).catch(() => {})
    const isClosed = await within(longestMs, () => drained.close(), log)
    const isLeft = await within(leaveMs, async () => drained.leave?.(), log)
    process.exit(isClosed && isLeft ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
  return { isEnding: () => hurry !== null }
}
