/** Resetting a forgotten password by a link. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { password } from './session.ts'
import { email, message } from './wire.ts'

const resetToken = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[A-Za-z0-9_-]+$/))

/** Calls to reset a password. */
export const passwordCalls = defineCalls({
  requestPasswordReset: {
    method: 'POST',
    path: '/api/v1/client/password/request-reset',
    access: 'public',
    tag: 'password',
    summary: 'Send a reset link; the answer is the same whether the email is known or not',
    body: z.object({ email }),
    answer: message,
  },
  validateResetToken: {
    method: 'GET',
    path: '/api/v1/client/password/validate-token',
    access: 'public',
    tag: 'password',
    summary: 'Is this reset link still good? Does not use it up',
    query: z.object({ token: resetToken }),
    secretAddress: true,
    answer: message,
    refusals: ['link_expired'],
  },
  resetPassword: {
    method: 'POST',
    path: '/api/v1/client/password/reset',
    access: 'public',
    tag: 'password',
    summary: 'Set a new password with the link; ends all sessions',
    body: z.object({ token: resetToken, password }),
    answer: message,
    refusals: ['link_expired', 'password_common'],
  },
})
