/** The log of what matters to the safety of accounts: who signed in or tried to, whose password or level changed, who was refused. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type SystemScope, systemScope } from '#/platform/access.ts'
import { minuteMs } from '@soigne/contract/time'
import type { Db } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText } from '#/platform/instants.ts'
import type { Jobs } from '#/platform/jobs.ts'
import {
  forgetOldSecurityEvents,
  insertSecurityEvents,
  type NewSecurityEvent,
  readSecurityEvents,
  type SecurityQuestion,
  type SecurityRow,
} from './store.ts'

const system = systemScope('the log of security')

/** What is told of a call by how it ended: done, or refused. */
const told: Readonly<Record<string, { done?: string; refused?: string }>> = {
  login: { done: 'login.ok', refused: 'login.failed' },
  signInByPasskey: { refused: 'login.failed' },
  signInAtProvider: { refused: 'login.failed' },
  beginPasskey: { refused: 'passkey.refused' },
  addPasskey: { done: 'passkey.added', refused: 'passkey.refused' },
  removePasskey: { done: 'passkey.removed' },
  register: { done: 'account.registered', refused: 'account.refused' },
  logout: { done: 'session.ended' },
  verifyEmail: { done: 'email.confirmed', refused: 'code.failed' },
  requestPasswordReset: { done: 'reset.asked' },
  resetPassword: { done: 'password.changed', refused: 'reset.failed' },
  changeOwnPassword: { done: 'password.changed', refused: 'password.refused' },
  eraseAccount: { done: 'account.erased', refused: 'account.erase.refused' },
  endDevice: { done: 'session.ended' },
  endOtherDevices: { done: 'session.ended' },
  addMember: { done: 'level.given', refused: 'level.refused' },
  changeMember: { done: 'level.changed', refused: 'level.refused' },
  removeMember: { done: 'level.taken', refused: 'level.refused' },
  leaveInstitute: { done: 'level.taken' },
  // What somebody at an open screen would take along, or have sent to them from then on.
  connectCalendar: { done: 'calendar.connected' },
  makeCalendarFeed: { done: 'calendar.published' },
  exportOwnData: { done: 'data.taken' },
  exportOwnFiles: { done: 'data.taken' },
  exportInstitute: { done: 'data.taken' },
  sandboxWebhook: { refused: 'payment.word.refused' },
  stripeWebhook: { refused: 'payment.word.refused' },
}

/** What an answer tells the log; null for nearly all. A lock-out and any other limit is a 429. */
export function kindOf(call: string | undefined, status: number, hasToken: boolean): string | null {
  if (status === 429) return 'limit.hit'
  const kinds = told[call ?? '']
  if (status < 300) return kinds?.done ?? null
  if (status >= 500) return null
  if (kinds?.refused) return kinds.refused
  if (status === 401 && hasToken) return 'token.refused'
  return status === 403 ? 'access.refused' : null
}

/** Who floods the site does not flood its log: the same of one address is one row a minute, with its count. */
const gatherMs = 250
const mostWaiting = 2000

const textOf = (value: unknown, longest: number): string | null =>
  typeof value === 'string' ? value.slice(0, longest).toWellFormed().replaceAll('\u0000', '') : null

function detailsOf(request: FastifyRequest, reply: FastifyReply, call: string | undefined): Record<string, unknown> {
  const { email: _email, level } = (request.body ?? {}) as { email?: unknown; level?: unknown }
  const subject = textOf((request.params as { id?: unknown } | null)?.id, 60)
  const institute = textOf(request.headers['institute-id'], 60)
  return {
    status: reply.statusCode,
    ...(call !== undefined && { call }),
    ...(subject !== null && { subject }),
    ...(institute !== null && { institute }),
    ...(typeof level === 'string' && { level: textOf(level, 40) }),
  }
}

export interface SecurityLog {
  note(event: NewSecurityEvent): void
  /** Writes what waits. */
  flush(): Promise<void>
}

/** Gathers what is noted and writes it together; what cannot be written now is kept for a while. */
export function openSecurityLog({ database, log }: Pick<AppContext, 'database' | 'log'>): SecurityLog {
  let waiting: NewSecurityEvent[] = []
  const lately = new Map<string, { until: number; event: NewSecurityEvent | null }>()
  let writing: Promise<void> | null = null
  const write = async (): Promise<void> => {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    try {
      await insertSecurityEvents(database.db, system, events)
    } catch (error) {
      waiting = [...events, ...waiting].slice(0, mostWaiting)
      log.error({ err: error, waiting: waiting.length }, 'the log of security could not be written')
    }
  }
  /** What was counted meanwhile is a row of its own when its minute is over. */
  const settle = (now: number, all: boolean): void => {
    for (const [key, { until, event }] of lately)
      if (all || until <= now) {
        lately.delete(key)
        if (event) waiting.push(event)
      }
  }
  const flush = async (all: boolean): Promise<void> => {
    settle(performance.now(), all)
    await writing
    writing = write().finally(() => (writing = null))
    await writing
  }
  const timer = setInterval(() => {
    if (waiting.length > 0 || lately.size > 0) void flush(false)
  }, gatherMs)
  timer.unref()
  return {
    note(event) {
      const key = `${event.kind} ${event.address} ${event.email ?? ''} ${event.userId ?? ''} ${String(event.details['call'] ?? '')}`
      const same = lately.get(key)
      if (same) {
        same.event = same.event ? { ...same.event, count: same.event.count + 1 } : event
        return
      }
      // An address that names another account with each try has a row for each, as long as there is room.
      if (waiting.length >= mostWaiting || lately.size >= mostWaiting) return
      lately.set(key, { until: performance.now() + minuteMs, event: null })
      waiting.push(event)
    },
    async flush() {
      clearInterval(timer)
      await flush(true)
    },
  }
}

/** Notes how requests ended, after they were answered: nobody waits for the log, and its time tells nothing. */
export function watchSecurity(app: FastifyInstance, context: AppContext): SecurityLog {
  const security = openSecurityLog(context)
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config
    const kind = kindOf(call, reply.statusCode, request.headers.authorization !== undefined)
    if (kind === null) return
    const { email } = (request.body ?? {}) as { email?: unknown }
    security.note({
      at: instantText(context.clock.now()),
      kind,
      userId: request.userId ?? null,
      email: textOf(email, 254)?.trim().toLowerCase() ?? null,
      address: request.ip,
      userAgent: textOf(request.headers['user-agent'], 300),
      details: detailsOf(request, reply, call),
      count: 1,
    })
  })
  app.addHook('onClose', () => security.flush())
  return security
}

/** Notes what somebody did at a shell, in the caller's transaction. */
export const noteAtShell = async (
  transaction: Db,
  scope: SystemScope,
  { kind, userId, at, details = {} }: { kind: string; userId: string; at: string; details?: Record<string, unknown> },
): Promise<void> => {
  await insertSecurityEvents(transaction, scope, [{ at, kind, userId, email: null, address: 'shell', userAgent: null, details, count: 1 }])
}

/** Notes a sign-in whose request names nobody, in the transaction that finds out who it is. */
export const noteSignIn = async (
  transaction: Db,
  scope: SystemScope,
  noted: Pick<NewSecurityEvent, 'at' | 'kind' | 'userId' | 'address' | 'userAgent'> & { call: 'signInByPasskey' | 'signInAtProvider' },
): Promise<void> => {
  const { call, userAgent, ...event } = noted
  await insertSecurityEvents(transaction, scope, [
    { ...event, email: null, userAgent: textOf(userAgent, 300), details: { call }, count: 1 },
  ])
}

/** Notes what is wrong with a payment, in the transaction that finds it. */
export const noteOfPayment = async (
  transaction: Db,
  { kind, userId, at, details }: { kind: string; userId: string | null; at: string; details: Record<string, unknown> },
): Promise<void> => {
  await insertSecurityEvents(transaction, system, [
    { at, kind, userId, email: null, address: 'provider', userAgent: null, details, count: 1 },
  ])
}

export const securityEvents = (db: Db, asked: SecurityQuestion): Promise<SecurityRow[]> => readSecurityEvents(db, system, asked)

export const securityJobs = ({ database }: Pick<AppContext, 'database'>): Jobs => ({
  async tidy_security() {
    await forgetOldSecurityEvents(database.db, system)
  },
})
