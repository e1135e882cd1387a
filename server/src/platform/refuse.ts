/** How code says no: `throw refuse('slot_taken', details)`. One place turns it into status and text. */
import type { RefusalCode } from '@soigne/contract/refusals'

export interface RefusalDetails {
  [key: string]: unknown
}

export class RefusalError extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails | undefined
  /** Values for the values of the message. */
  readonly values: Record<string, string | number>
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | undefined
  constructor(code: RefusalCode, details?: RefusalDetails, extra: { values?: Record<string, string | number>; retryAfter?: number } = {}) {
    super(code)
    this.code = code
    this.details = details
    this.values = extra.values ?? {}
    this.retryAfter = extra.retryAfter
  }
}

export const refuse = (
  code: RefusalCode,
  details?: RefusalDetails,
  extra?: { values?: Record<string, string | number>; retryAfter?: number },
): RefusalError => new RefusalError(code, details, extra)

/** A field of the body refused by a rule the schema cannot say. */
export const refuseField = (field: string, problem: string): RefusalError => new RefusalError('bad_input', { fields: { [field]: problem } })
