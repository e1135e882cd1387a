// A call the server refused, with its answer as it came.
import type { RefusalCode } from '@soigne/contract/refusals'

/** What every refusal carries; anything else in the body is kept too. */
export type RefusalBody = {
  code?: RefusalCode
  message?: string
  details?: Record<string, unknown>
  /** Milliseconds until a new code may be asked for; only with `resend_cooldown`. */
  timeLeft?: number
}

export class ApiError extends Error {
  readonly status: number
  /** The server's response body; empty when it sent none. */
  readonly body: RefusalBody
  constructor(status: number, body: RefusalBody) {
    super(body.message ?? `HTTP ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
  get code(): RefusalCode | undefined {
    return this.body.code
  }
}

/** The code of a refusal, or nothing for any other failure. */
export function refusalCode(error: unknown): RefusalCode | undefined {
  return error instanceof ApiError ? error.code : undefined
}

/** What to show of a failure: the server's message, or the raw error when there is none. */
export function failureText(error: unknown): string {
  const isTold = typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string' && error.message
  return isTold || String(error)
}

/** Fields the server found wrong, by name, with why. */
export function fieldFailures(error: unknown): Readonly<Record<string, string>> {
  const fields = error instanceof ApiError ? error.body.details?.['fields'] : undefined
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).map(([name, why]) => [name, String(why)]))
}

function hasStart(value: unknown): value is { startsAt: string } {
  return typeof value === 'object' && value !== null && 'startsAt' in value && typeof value.startsAt === 'string'
}

/** Starts near the one that was refused, where the refusal names any. */
export function nearestStarts(error: unknown): string[] {
  const nearest = error instanceof ApiError ? error.body.details?.['nearest'] : undefined
  return Array.isArray(nearest) ? nearest.filter(hasStart).map(({ startsAt }) => startsAt) : []
}
