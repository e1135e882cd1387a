/** Confirming the email with a six-digit code. */
import { minuteMs } from './time.ts'
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { message } from './wire.ts'

/** Digits of a confirmation code. */
export const codeLength = 6
/** Wait after a successful resend, milliseconds. */
export const resendCooldownMs = minuteMs

/** Calls to confirm an email. */
export const verificationCalls = defineCalls({
  verifyEmail: {
    method: 'POST',
    path: '/api/v1/secure/client/verify-email',
    access: { of: 'self' },
    tag: 'verification',
    summary: 'Confirm the email with the code that was sent',
    body: z.object({ code: z.string().check(z.regex(/^[0-9]{6}$/)) }),
    answer: message,
    refusals: ['code_wrong', 'code_expired'],
  },
  resendVerification: {
    method: 'POST',
    path: '/api/v1/secure/client/resend-verification',
    access: { of: 'self' },
    tag: 'verification',
    summary: 'Send a new code; refused during the cooldown with timeLeft in ms at top level',
    answer: message,
    refusals: ['resend_cooldown', 'wrong_state'],
  },
})
