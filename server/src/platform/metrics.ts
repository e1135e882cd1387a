/** /metrics for Prometheus, answered on loopback only. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from './app-context.ts'
import { undispatchedEvents } from './reactions.ts'

const loopback = /^(127\.|::1$|::ffff:127\.)/

export function mountMetrics(app: FastifyInstance, { database, clock }: Pick<AppContext, 'database' | 'clock'>): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time of a request by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, database.pool.totalCount)
      this.set({ state: 'idle' }, database.pool.idleCount)
      this.set({ state: 'waiting' }, database.pool.waitingCount)
    },
  })
  new Counter({
    name: 'database_statements_total',
    help: 'SQL statements sent',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(database.statements())
    },
  })
  const undispatched = new Gauge({
    name: 'events_undispatched',
    help: 'Events in the database that no process has made jobs for yet',
    registers: [registry],
  })
  const undispatchedAge = new Gauge({
    name: 'events_undispatched_age_seconds',
    help: 'Age of the oldest of them; 0 without one',
    registers: [registry],
  })
  const lookAtEvents = async (): Promise<void> => {
    // Where the database does not answer the other figures are wanted most of all.
    const found = await undispatchedEvents(database.apart, clock.now()).catch(() => ({ count: Number.NaN, ageMs: Number.NaN }))
    undispatched.set(found.count)
    undispatchedAge.set(found.ageMs / 1000)
  }
  app.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (request, reply) => {
    // The socket's own address: a forwarded header must not open this.
    if (!loopback.test(request.socket.remoteAddress ?? '')) return reply.code(404).send({ code: 'not_found', message: 'Not here.' })
    await lookAtEvents()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
