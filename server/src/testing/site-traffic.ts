/** People who read and book all the while, at whichever servers are up, and note everything that goes wrong. */
import { setTimeout as sleep } from 'node:timers/promises'
import { holdsPath, visitsPath } from './booking.ts'

interface Person {
  token: string
}
interface Bookable {
  id: string
  slug: string
  serviceId: string
}

export interface Traffic {
  /** The servers that are asked, by turns. */
  servers: string[]
  asked: number
  /** Waits in milliseconds. */
  slowest: number
  booked: string[]
  failed: string[]
  stop(): Promise<void>
}

/** Answers that are neither an answer nor a no of the product. */
const isFailure = (status: number): boolean => status >= 500 || status === 400 || status === 401 || status === 404

export function beginTraffic(
  servers: string[],
  { readers, bookers, places }: { readers: number; bookers: readonly Person[]; places: readonly Bookable[] },
): Traffic {
  let isDone = false
  let turn = 0
  const traffic: Traffic = {
    servers,
    asked: 0,
    slowest: 0,
    booked: [],
    failed: [],
    async stop() {
      isDone = true
      await Promise.all(going)
    },
  }
  const ask = async (path: string, init: RequestInit = {}): Promise<{ status: number; body: Record<string, unknown> }> => {
    const server = traffic.servers[turn++ % traffic.servers.length] ?? ''
    const began = performance.now()
    try {
      // An answer that never comes is a failure, not a test that hangs.
      const response = await fetch(`${server}${path}`, { ...init, signal: AbortSignal.timeout(60_000) })
      const body = (await response.json()) as Record<string, unknown>
      if (isFailure(response.status))
        traffic.failed.push(`${init.method ?? 'GET'} ${path} at ${server}: ${response.status} ${JSON.stringify(body)}`)
      return { status: response.status, body }
    } catch (error) {
      traffic.failed.push(`${init.method ?? 'GET'} ${path} at ${server}: ${String((error as Error).cause ?? error)}`)
      return { status: 0, body: {} }
    } finally {
      traffic.asked++
      traffic.slowest = Math.max(traffic.slowest, performance.now() - began)
    }
  }
  const somewhere = (): Bookable => places[turn % places.length] as Bookable
  const times = async ({ id, serviceId }: Bookable): Promise<string[]> => {
    const from = new Date(Date.now() + (2 + (turn % 20)) * 86_400_000).toISOString().slice(0, 10)
    const { body } = await ask(`/api/v1/client/institutes/${id}/availability?service=${serviceId}&from=${from}&days=3`)
    return ((body['days'] as { times: { startsAt: string }[] }[] | undefined) ?? []).flatMap((day) =>
      day.times.map(({ startsAt }) => startsAt),
    )
  }
  const read = async (): Promise<void> => {
    while (!isDone) {
      await ask('/api/v1/client/institutes?what=cut&pageSize=10&sort=recommended')
      await ask(`/api/v1/client/institutes/${somewhere().slug}`)
      await times(somewhere())
      await sleep(5)
    }
  }
  const book = async ({ token }: Person): Promise<void> => {
    const post = (path: string, body: unknown) =>
      ask(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify(body),
      })
    while (!isDone) {
      const at = somewhere()
      const startsAt = (await times(at))[turn % 5]
      if (startsAt === undefined) continue
      const held = await post(holdsPath, { instituteId: at.id, services: [{ serviceId: at.serviceId }], startsAt })
      if (held.status !== 201) continue
      const visit = await post(visitsPath, { holdId: held.body['_id'] })
      // Where nobody pays at the salon this release asks for money first; the one before booked without.
      if (visit.status === 201 && visit.body['payment'] !== undefined) continue
      if (visit.status === 201) traffic.booked.push(String(visit.body['_id']))
      else traffic.failed.push(`a held time could not be booked: ${visit.status} ${JSON.stringify(visit.body)}`)
    }
  }
  const going = [...Array.from({ length: readers }, read), ...bookers.map(book)]
  return traffic
}
