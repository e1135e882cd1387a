/** /metrics for Prometheus: for whoever has its token; without one, in a trial, for the machine itself. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from './app-context.ts'
import { undispatchedEvents } from './reactions.ts'
import type { Settings } from './settings.ts'
import { hashToken, sameBytes } from './tokens.ts'

const loopback = /^(127\.|::1$|::ffff:127\.)/

/** What a proxy adds: whoever comes through one is not this machine. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

function mayRead(request: FastifyRequest, { metricsToken, mode }: Settings): boolean {
  if (forwarding.some((name) => request.headers[name] !== undefined)) return false
  if (metricsToken !== null) return sameBytes(hashToken(request.headers.authorization ?? ''), hashToken(`Bearer ${metricsToken}`))
  // The socket's own address. A proxy on this machine may add no header, so a site needs the token.
  return mode === 'trial' && loopback.test(request.socket.remoteAddress ?? '')
}

/** Figures of events that wait; what comes back reads them. */
function gaugesOfEvents(registry: Registry, { database, clock }: Pick<AppContext, 'database' | 'clock'>): () => Promise<void> {
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
  return async () => {
    // Where the database does not answer the other figures are wanted most of all.
    const found = await undispatchedEvents(database.apart, clock.now()).catch(() => ({ count: Number.NaN, ageMs: Number.NaN }))
    undispatched.set(found.count)
    undispatchedAge.set(found.ageMs / 1000)
  }
}

export function mountMetrics(
  app: FastifyInstance,
  { database, clock, settings }: Pick<AppContext, 'database' | 'clock' | 'settings'>,
): void {
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
  const lookAtEvents = gaugesOfEvents(registry, { database, clock })
  app.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, settings)) return reply.code(404).send({ code: 'not_found', message: 'Not here.' })
    await lookAtEvents()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
