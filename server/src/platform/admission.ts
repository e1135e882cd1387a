/** The door for every request, before anything is read of it: what its class of cost has left for its network decides. */
import type { FastifyInstance } from 'fastify'
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
