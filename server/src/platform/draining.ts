/** How a process ends when it is told to: it says that it will, serves on until balancers have heard, and then answers what is under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A request that never ends must not keep the process. */
const cutOffMs = 15_000

export interface Drained {
  /** From now on `/ready` says 503; everything else is served as before. */
  announce(): void
  /** Closes the socket, answers what is under way and lets go of everything. */
  close(): Promise<void>
}

/** Ends the process on SIGTERM or SIGINT, `seconds` after it has been announced; a second signal does not wait for that. */
export function drainOnSignals(drained: Drained, { seconds, log }: { seconds: number; log: Log }): void {
  let hurry: AbortController | null = null
  const end = async (signal: string): Promise<void> => {
    if (hurry) return hurry.abort()
    hurry = new AbortController()
    log.info({ signal, seconds }, 'draining')
    drained.announce()
    await sleep(seconds * 1000, undefined, { signal: hurry.signal }).catch(() => {})
    setTimeout(() => process.exit(1), cutOffMs).unref()
    await drained.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void end('SIGTERM'))
  process.on('SIGINT', () => void end('SIGINT'))
}
