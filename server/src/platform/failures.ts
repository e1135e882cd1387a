/** The one place where a failure becomes a status and text. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalCode, refusals } from '@soigne/contract/refusals'
import type { Locale } from '@soigne/contract/wire'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from './database.ts'
import { localeOf } from './language.ts'
import { RefusalError, refuse } from './refuse.ts'

/** The texts of a refusal and of a field's problem in one language. */
export interface Wording {
  refusal(locale: Locale, code: RefusalCode, details: Record<string, unknown> | undefined, values: Record<string, string | number>): string
  field(locale: Locale, problem: string): string
}

const frameworkCodes: Record<number, RefusalCode> = {
  400: 'bad_input',
  404: 'not_found',
  413: 'too_large',
  414: 'too_large',
  415: 'wrong_type',
  431: 'too_large',
  503: 'unavailable',
}

const awayCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // It may be read, not written.
  '25006',
  '55P03',
  '57014',
])
const awayPattern =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|driver has already been destroyed|after calling end on the pool/i

/** SQLSTATE classes that mean the database is away: 08 connection, 28 sign-in, 3D no such database, 57P shutdown, 53 resources, 58 system; node errors besides. */
const isAway = (error: unknown): boolean => {
  const code = (error as { code?: string } | null)?.code ?? ''
  return /^(?:08|28|3D|57P|53|58)\w+$/.test(code) || awayCodes.has(code) || awayPattern.test((error as Error | null)?.message ?? '')
}

/** Data the database cannot take (class 22): the caller's input got past the schema, or a statement of ours is wrong. */
const isUnfitData = (error: unknown): boolean => sqlState(error)?.startsWith('22') === true

/** Reads any thrown thing as a refusal; null when it is a bug of ours. */
export function refusalOf(error: unknown): RefusalError | null {
  if (error instanceof RefusalError) return error
  if (isUnfitData(error)) return new RefusalError('bad_input')
  if (isAway(error)) return new RefusalError('unavailable', undefined, { retryAfter: 2 })
  const status = (error as FastifyError | null | undefined)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) return new RefusalError(frameworkCodes[status] ?? 'bad_input')
  return null
}

export const failureHandler =
  (wording: Wording) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const locale = localeOf(request.headers['accept-language'])
    let refusal = refusalOf(error)
    if (!refusal) {
      request.log.error({ err: error }, 'unexpected failure')
      return reply
        .code(500)
        .send({ code: 'internal', message: wording.refusal(locale, 'internal', undefined, {}), details: { id: request.id } })
    }
    // The caller may be at fault or we: the log and the answer share an id, so that somebody can tell.
    if (isUnfitData(error)) {
      request.log.error({ err: error }, 'the database could not take a value')
      refusal = refuse('bad_input', { id: request.id })
    }
    if (refusal.code === 'unavailable') request.log.warn({ err: error }, 'a part we need is away')
    const { code, values } = refusal
    const details =
      refusal.details && 'fields' in refusal.details
        ? {
            ...refusal.details,
            fields: Object.fromEntries(
              Object.entries(refusal.details['fields'] as Record<string, string>).map(([name, problem]) => [
                name,
                wording.field(locale, problem),
              ]),
            ),
          }
        : refusal.details
    if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
    const body: Record<string, unknown> = { code, message: wording.refusal(locale, code, refusal.details, values) }
    if (details) body['details'] = details
    // The specification's exception: this error carries the wait at top level.
    if (refusal.details?.['timeLeft'] !== undefined) body['timeLeft'] = refusal.details['timeLeft']
    if (refusals[code] === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(refusals[code]).header('cache-control', 'no-store').send(body)
  }

/** How long the last word to a broken connection may take to arrive. */
const lastWordMs = 1000

/** Answers bytes that are no HTTP request, in the shape of every refusal; nothing of the framework has run yet. */
export const brokenRequestHandler =
  (wording: Wording) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'bad_input'
    const body = JSON.stringify({ code, message: wording.refusal('en', code, undefined, {}) })
    const status = refusals[code]
    // Who does not read it, or goes on sending, has no connection after it.
    setTimeout(() => socket.destroy(), lastWordMs).unref()
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
    )
  }
