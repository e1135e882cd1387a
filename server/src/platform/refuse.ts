/** How code says no: `throw refuse('slot_taken', details)`. One place turns it into status and words. */
import type { RefusalCode } from '@soigne/contract/refusals'

export interface RefusalDetails {
  [key: string]: unknown
}

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails | undefined
  /** Values for the words of the message. */
  readonly words: Record<string, string | number>
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | undefined
  constructor(code: RefusalCode, details?: RefusalDetails, extra: { words?: Record<string, string | number>; retryAfter?: number } = {}) {
    super(code)
    this.code = code
    this.details = details
    this.words = extra.words ?? {}
    this.retryAfter = extra.retryAfter
  }
}

export const refuse = (
  code: RefusalCode,
  details?: RefusalDetails,
  extra?: { words?: Record<string, string | number>; retryAfter?: number },
): Refusal => new Refusal(code, details, extra)

/** A field of the body refused by a rule the schema cannot say. */
export const refuseField = (field: string, problem: string): Refusal => new Refusal('bad_input', { fields: { [field]: problem } })
