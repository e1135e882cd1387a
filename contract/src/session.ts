/** Accounts and sessions: register, login, logout, the session user, the profile picture. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { plainPhone } from './plain-phone.ts'
import { email, message, personName, role } from './wire.ts'

/** Length limits of a password; no rules of composition. */
export const passwordLength = { min: 10, max: 200 } as const
/** A new password. */
export const password = z.string().check(
  z.minLength(passwordLength.min),
  z.maxLength(passwordLength.max),
  z.refine((value) => !value.includes('\u0000') && value.isWellFormed(), { error: 'invalid' }),
)

/** A telephone number as people write it; empty for none. */
export const phone = z.string().check(z.overwrite(plainPhone), z.trim(), z.maxLength(30), z.regex(/^$|^\+?[0-9 ().-]{5,29}$/))

const sessionUser = z.object({
  id: z.string(),
  email: z.string(),
  role,
  firstName: z.string(),
  lastName: z.string(),
  /** Present when a professional has an institute. */
  institute: z.optional(z.object({ _id: z.string(), slug: z.string(), name: z.string() })),
  imageUrl: z.nullable(z.string()),
  isEmailVerified: z.boolean(),
  isConnectedGoogle: z.boolean(),
  hasGoogleCalendarAccess: z.boolean(),
})
export type SessionUser = z.output<typeof sessionUser>

/** What a provider of identities sends back with somebody. The role is that of an account to be made. */
export const providerAnswer = z.object({
  googleToken: z.string().check(z.minLength(1), z.maxLength(4000)),
  state: z.string().check(z.minLength(1), z.maxLength(200)),
  iss: z.optional(z.string().check(z.maxLength(500))),
  role: z.optional(role),
})

/** Calls about accounts and sessions. */
export const sessionCalls = defineCalls({
  login: {
    method: 'POST',
    path: '/api/v1/client/auth/login',
    access: 'public',
    tag: 'session',
    summary: 'Sign in with email, password and the role of the account',
    body: z.object({ email, password: z.string().check(z.minLength(1), z.maxLength(passwordLength.max)), role }),
    answer: z.object({ message: z.string(), token: z.string(), user: z.object({ role, hasGoogleCalendarAccess: z.boolean() }) }),
    refusals: ['wrong_credentials', 'other_role'],
  },
  signInAtProvider: {
    method: 'POST',
    path: '/api/v1/client/auth/google',
    access: 'public',
    tag: 'session',
    summary: 'Sign in with the code that a provider of identities gave; begun at /api/v1/client/auth/google/start',
    body: providerAnswer,
    answer: z.object({
      message: z.string(),
      token: z.string(),
      user: z.object({ role, hasGoogleCalendarAccess: z.boolean() }),
      /** The account was made just now. */
      isNew: z.boolean(),
      /** Path of this site the sign-in was begun for. */
      from: z.nullable(z.string()),
    }),
    refusals: ['sign_in_failed', 'other_role', 'email_taken', 'unavailable'],
  },
  register: {
    method: 'POST',
    path: '/api/v1/client/auth/register',
    access: 'public',
    tag: 'session',
    summary: 'Make an account; a code to confirm the email is sent',
    body: z.object({
      email,
      password,
      role,
      firstName: personName,
      lastName: personName,
      phone: z.optional(phone),
      acceptTerms: z.literal(true),
    }),
    status: 201,
    answer: z.object({ message: z.string(), token: z.string() }),
    refusals: ['email_taken', 'password_common'],
  },
  me: {
    method: 'GET',
    path: '/api/v1/secure/client/profile/me',
    access: { of: 'self' },
    tag: 'session',
    summary: 'The session user',
    answer: sessionUser,
  },
  profileImage: {
    method: 'PUT',
    path: '/api/v1/secure/client/profile/image',
    access: { of: 'self', verified: true },
    tag: 'session',
    summary: 'Replace the profile picture (JPEG, PNG or WebP up to 5 MB; re-encoded)',
    files: { image: { most: 1, bytes: 5_000_000 } },
    answer: z.object({ message: z.string(), imageUrl: z.string() }),
    refusals: ['too_large', 'wrong_type'],
  },
  logout: {
    method: 'POST',
    path: '/api/v1/secure/client/session/logout',
    access: { of: 'self' },
    tag: 'session',
    summary: 'End this session',
    answer: message,
  },
})
