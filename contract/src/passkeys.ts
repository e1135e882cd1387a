/** Passkeys: keys of a device that open an account in place of a password. What browsers give and take is called as they call it. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { passwordLength } from './session.ts'
import { id, message, personName, role } from './wire.ts'

/** As many as one account may have. */
export const mostPasskeys = 10

/** Bytes as browsers write them. */
const bytes = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest), z.regex(/^[A-Za-z0-9_-]+$/))
const keyName = bytes(1400)
const clientData = bytes(8000)

const passkey = z.object({
  _id: z.string(),
  /** What the system of the device is called, until somebody names it. */
  name: z.string(),
  /** Instants, ISO; null where it has opened nothing yet. */
  madeAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})
export type Passkey = z.output<typeof passkey>

const kind = z.literal('public-key')
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: kind, alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(z.object({ type: kind, id: z.string() })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.output<typeof creationOptions>

const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(z.object({ type: kind, id: z.string() })),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.output<typeof requestOptions>

const madeCredential = z.object({
  id: keyName,
  rawId: keyName,
  type: kind,
  response: z.object({ clientDataJSON: clientData, attestationObject: bytes(40_000) }),
})
export type MadeCredential = z.output<typeof madeCredential>

const signedCredential = z.object({
  id: keyName,
  rawId: keyName,
  type: kind,
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytes(8000),
    signature: bytes(4000),
    userHandle: z.optional(z.nullable(bytes(100))),
  }),
})
export type SignedCredential = z.output<typeof signedCredential>

/** Calls about passkeys. */
export const passkeyCalls = defineCalls({
  passkeys: {
    method: 'GET',
    path: '/api/v1/secure/client/passkeys',
    access: { of: 'self' },
    tag: 'passkeys',
    summary: 'My passkeys, the newest first',
    answer: z.object({ items: z.array(passkey) }),
  },
  beginPasskey: {
    method: 'POST',
    path: '/api/v1/secure/client/passkeys/begin',
    access: { of: 'self', verified: true },
    tag: 'passkeys',
    summary: 'What a browser makes a passkey from, for five minutes; an account with a password names it',
    body: z.object({ password: z.optional(z.string().check(z.minLength(1), z.maxLength(passwordLength.max))) }),
    answer: creationOptions,
    refusals: ['too_many_passkeys'],
  },
  addPasskey: {
    method: 'POST',
    path: '/api/v1/secure/client/passkeys',
    access: { of: 'self', verified: true },
    tag: 'passkeys',
    summary: 'Keep the passkey that a browser made; the owner is told by mail',
    body: z.object({ credential: madeCredential }),
    status: 201,
    answer: message,
    refusals: ['passkey_not_added', 'too_many_passkeys'],
  },
  renamePasskey: {
    method: 'PUT',
    path: '/api/v1/secure/client/passkeys/:id',
    access: { of: 'self' },
    tag: 'passkeys',
    summary: 'Name a passkey',
    params: z.object({ id }),
    // On one line, as the names of people are.
    body: z.object({ name: personName }),
    answer: message,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/v1/secure/client/passkeys/:id',
    access: { of: 'self' },
    tag: 'passkeys',
    summary: 'Remove a passkey, which opens nothing from now on; the owner is told by mail',
    params: z.object({ id }),
    answer: message,
  },
  beginPasskeySignIn: {
    method: 'POST',
    path: '/api/v1/client/auth/passkey/begin',
    access: 'public',
    tag: 'passkeys',
    summary: 'What a browser signs to sign somebody in, for five minutes',
    answer: requestOptions,
  },
  signInByPasskey: {
    method: 'POST',
    path: '/api/v1/client/auth/passkey',
    access: 'public',
    tag: 'passkeys',
    summary: 'Sign in with what a passkey signed; the account has its own role',
    body: z.object({ credential: signedCredential }),
    answer: z.object({ message: z.string(), token: z.string(), user: z.object({ role, hasGoogleCalendarAccess: z.boolean() }) }),
    refusals: ['passkey_refused'],
  },
})
