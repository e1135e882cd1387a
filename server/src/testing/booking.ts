/** Short ways to hold, book and change visits in tests, by the calls a browser makes. */
import type { Appointment, Hold } from '@soigne/contract/appointments'
import type { FreeTime } from '@soigne/contract/wire'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#/platform/database.ts'
import type { MadeInstitute } from './factories.ts'
import type { TestAnswer, TestApp } from './test-app.ts'

export const holdsPath = '/api/v1/secure/appointments/holds'
export const visitsPath = '/api/v1/secure/appointments'

/** An instant from a wall time of a zone, Paris unless told otherwise: `wall('2026-11-24T10:00')`. */
export const wall = (text: string, timeZone = 'Europe/Paris'): string =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant().toString({ fractionalSecondDigits: 3 })

/** An instant so many minutes later. */
export const later = (instant: string, minutes: number): string => new Date(Date.parse(instant) + minutes * 60_000).toISOString()

export interface HoldRequest {
  startsAt: string
  /** Places in the menu, each with a place in the team or any; the first service with anybody when absent. */
  lines?: [service: number, member?: number | 'any'][]
  birthday?: string
  home?: object
  key?: string
}

/** The body of a hold. */
export function holdBody(institute: MadeInstitute, { startsAt, lines = [[0]], birthday, home }: HoldRequest): Record<string, unknown> {
  const services = lines.map(([service, member]) => ({
    serviceId: institute.services[service],
    ...(member !== undefined && { staffId: member === 'any' ? 'any' : institute.members[member] }),
  }))
  return { instituteId: institute.id, services, startsAt, ...(birthday !== undefined && { birthday }), ...(home !== undefined && { home }) }
}

export const tryHold = (t: TestApp, user: { token: string }, institute: MadeInstitute, request: HoldRequest): Promise<TestAnswer> =>
  t.inject('POST', holdsPath, {
    token: user.token,
    body: holdBody(institute, request),
    ...(request.key !== undefined && { headers: { 'idempotency-key': request.key } }),
  })

const meant = <T>(answer: TestAnswer, status: number): T => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`)
  return answer.body as unknown as T
}

export const hold = async (t: TestApp, user: { token: string }, institute: MadeInstitute, request: HoldRequest): Promise<Hold> =>
  meant(await tryHold(t, user, institute, request), 201)

export const tryConfirm = (
  t: TestApp,
  user: { token: string },
  holdId: string,
  more: { note?: string; paymentMethod?: string; key?: string } = {},
): Promise<TestAnswer> => {
  const { key, ...rest } = more
  return t.inject('POST', visitsPath, {
    token: user.token,
    body: { holdId, ...rest },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}

/** Holds and confirms. */
export async function bookVisit(
  t: TestApp,
  user: { token: string },
  institute: MadeInstitute,
  request: HoldRequest & { note?: string },
): Promise<Appointment> {
  const held = await hold(t, user, institute, request)
  return meant(await tryConfirm(t, user, held._id, request.note === undefined ? {} : { note: request.note }), 201)
}

export const readVisit = async (t: TestApp, user: { token: string }, id: string): Promise<Appointment> =>
  meant(await t.inject('GET', `${visitsPath}/${id}`, { token: user.token }), 200)

export const tryCancel = (t: TestApp, user: { token: string }, id: string, body?: unknown): Promise<TestAnswer> =>
  t.inject('PUT', `${visitsPath}/${id}/cancel`, { token: user.token, ...(body !== undefined && { body }) })
export const tryMove = (
  t: TestApp,
  user: { token: string },
  id: string,
  startsAt: string,
  staff?: string | (string | undefined)[],
): Promise<TestAnswer> =>
  t.inject('PUT', `${visitsPath}/${id}/reschedule`, {
    token: user.token,
    body: { startsAt, ...(staff !== undefined && { staff: [staff].flat() }) },
  })
export const cancelled = async (t: TestApp, user: { token: string }, id: string): Promise<Appointment> =>
  meant(await tryCancel(t, user, id), 200)
export const moved = async (...asked: Parameters<typeof tryMove>): Promise<Appointment> => meant(await tryMove(...asked), 200)

/** Status and code, the way refusals are told apart. */
export const refused = (answer: TestAnswer): [status: number, code: string] => [answer.status, String(answer.body['code'])]

/** What a refusal says besides. */
export const detailsOf = (
  answer: TestAnswer,
): {
  reason?: string
  nearest?: FreeTime[]
  prerequisite?: Record<string, unknown>
  phone?: string | null
  fields?: Record<string, string>
} => answer.body['details'] as never

/** Pairs of occupations of one subject that overlap, live or not: there is never one. */
export async function overlaps(db: TestApp['db']): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from occupations a join occupations b on a.subject_id = b.subject_id and a.id < b.id and a.during && b.during`.execute(
    db,
  )
  return rows[0]?.n ?? -1
}

/** Until so many transactions of the app's database wait for another's lock. */
export const somebodyWaits = (t: TestApp, count = 1): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db)
      if (rows.length < count) throw new Error(`${rows.length} wait`)
    },
    { timeout: 60_000, interval: 5 },
  )

/** The process of the database that works for a transaction. */
export async function processOf(transaction: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
  return rows[0]?.pid ?? 0
}

/** Until somebody waits for a lock that this process of the database has; who waits for somebody else does not count. */
export const somebodyWaitsFor = (t: TestApp, pid: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } =
        await sql`select from pg_stat_activity where datname = current_database() and ${pid} = any(pg_blocking_pids(pid))`.execute(t.db)
      if (rows.length === 0) throw new Error('nobody waits')
    },
    { timeout: 60_000, interval: 5 },
  )
