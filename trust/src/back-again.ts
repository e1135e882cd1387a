/** How long after a kill the product serves again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, openClient } from './wire.ts'

const patienceMs = 30_000
export const limitMs = 3000

export interface Back {
  /** Milliseconds from the kill until `GET /ready` says 200, and until something was booked again. */
  readyMs: number
  bookedMs: number
}

/** Waits until it is ready and something has been booked by a question answered after that. */
export async function waitUntilBack(urlOf: () => string, killedAt: number, bookedAt: readonly number[]): Promise<Back> {
  const client: Client = openClient('')
  try {
    let readyMs = -1
    while (Date.now() - killedAt < patienceMs) {
      if (readyMs < 0) {
        const { status } = await client.send(urlOf(), { method: 'GET', path: '/ready' }, 2000)
        if (status === 200) readyMs = Date.now() - killedAt
      }
      // What is answered right after a kill may have been on its way before; what is answered once it is ready was not.
      const booked = readyMs < 0 ? undefined : bookedAt.findLast((at) => at >= killedAt + readyMs - 5)
      if (booked !== undefined) return { readyMs, bookedMs: booked - killedAt }
      await sleep(10)
    }
    return { readyMs: readyMs < 0 ? patienceMs : readyMs, bookedMs: patienceMs }
  } finally {
    client.close()
  }
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Waits until none of these processes is there: what is answered from then on is answered by others. */
export async function untilEnded(pids: readonly number[], withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; pids.some(isThere); await sleep(5))
    if (Date.now() > deadline) throw new Error(`processes are still there after ${withinMs} ms: ${pids.filter(isThere).join(', ')}`)
}

export const tooLate = (backs: readonly Back[]): string[] =>
  backs.flatMap(({ readyMs, bookedMs }, n) =>
    Math.max(readyMs, bookedMs) > limitMs
      ? [`after kill ${n + 1} it was ready in ${readyMs} ms and booked in ${bookedMs} ms, at most ${limitMs} are allowed`]
      : [],
  )
