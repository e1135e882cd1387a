/** The door for every request, before anything is read of it: what its class of cost has left for its network decides. */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Budgets } from './budgets.ts'
import { networkOf } from './network.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request of the route costs; files of the build cost nothing. */
    cost?: string | ((request: FastifyRequest) => string)
    /** How many times that; 1 when absent. */
    weight?: (request: FastifyRequest) => number
  }
}

export function admit(app: FastifyInstance, budgets: Budgets): void {
  app.addHook('onRequest', async (request) => {
    const { cost = 'free', weight } = request.routeOptions.config
    const asked = typeof cost === 'function' ? cost(request) : cost
    if (asked !== 'free') budgets.take('network', asked, networkOf(request.ip), weight?.(request))
  })
}

/** Who is not refused for so long has stopped asking on. */
const quietMs = 1000
/** Refusals of a network, until it is quiet again, that are answered at once. */
const refusedAtOnce = 8
/** Answers that wait; beyond them none does. */
const mostWaiting = 1000

/**
 * Whoever asks on, though they were told when to come back, gets the next refusal one to two seconds later, and not all at the same moment: some dozens that
 * ask without a pause would else keep the process busy refusing them, and whoever books waits behind them.
 */
export function slowRefusals(
  app: FastifyInstance,
  { now = () => performance.now(), wait = (ms) => sleep(ms) }: { now?: () => number; wait?: (ms: number) => Promise<unknown> } = {},
): void {
  const refusals = new LRUCache<string, { last: number; count: number }>({ max: 10_000 })
  let waiting = 0
  app.addHook('onSend', async (request, reply) => {
    const { cost = 'free' } = request.routeOptions.config
    if (cost === 'free' || !reply.hasHeader('retry-after')) return
    const network = networkOf(request.ip)
    const known = refusals.get(network)
    const count = known && now() - known.last < quietMs ? known.count + 1 : 1
    const isSlow = count > refusedAtOnce && waiting < mostWaiting
    const ms = isSlow ? randomInt(quietMs, 2 * quietMs) : 0
    // Quiet is counted from when the answer is there.
    refusals.set(network, { last: now() + ms, count })
    if (!isSlow) return
    waiting++
    try {
      await wait(ms)
    } finally {
      waiting--
    }
  })
}
