/** What people set about themselves: profile, password, language, and the devices they are signed in on. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { password, passwordLength, phone } from './session.ts'
import { id, locales, message, personName } from './wire.ts'

const locale = z.enum(locales)
const typedPassword = z.string().check(z.minLength(1), z.maxLength(passwordLength.max))

const ownProfile = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Empty where none is kept. */
  phone: z.string(),
  /** The language of letters. */
  locale,
  /** Not where somebody has only ever signed in at a provider. */
  hasPassword: z.boolean(),
  /** Whether a provider of identities opens the account too. */
  hasProvider: z.boolean(),
})
export type OwnProfile = z.output<typeof ownProfile>

/** What the form of the profile sends. */
export const profileForm = z.object({ firstName: personName, lastName: personName, phone })
/** What the form of the password sends. */
export const passwordForm = z.object({ currentPassword: typedPassword, newPassword: password })

/** What the form that ends an account sends. */
export const accountForm = z.object({ password: typedPassword })

const device = z.object({
  _id: z.string(),
  /** Names of the trade, such as Firefox and macOS; null where it does not say. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  isPhone: z.boolean(),
  /** Instants, ISO. */
  signedInAt: z.string(),
  lastSeenAt: z.string(),
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type Device = z.output<typeof device>

const ownData = z.object({
  format: z.literal('soigne-account'),
  version: z.literal(1),
  exportedAt: z.string(),
  /** Rows by what they are called, such as visits. */
  data: z.record(z.string(), z.array(z.unknown())),
})

/** Calls of the settings. */
export const settingsCalls = defineCalls({
  ownProfile: {
    method: 'GET',
    path: '/api/v1/secure/client/profile/',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'What I have told about myself',
    answer: ownProfile,
  },
  updateProfile: {
    method: 'PUT',
    path: '/api/v1/secure/client/profile/',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Change what is named; an empty phone takes it away, `locale` is the language of letters',
    body: z.object({
      firstName: z.optional(personName),
      lastName: z.optional(personName),
      phone: z.optional(phone),
      locale: z.optional(locale),
    }),
    answer: message,
  },
  changeOwnPassword: {
    method: 'PUT',
    path: '/api/v1/secure/client/profile/password',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Set a new password; ends every session but this one, and all reset links',
    body: passwordForm,
    answer: message,
    refusals: ['password_common'],
  },
  devices: {
    method: 'GET',
    path: '/api/v1/secure/client/sessions',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Where I am signed in, the last used first',
    answer: z.object({ items: z.array(device) }),
  },
  endDevice: {
    method: 'DELETE',
    path: '/api/v1/secure/client/sessions/:id',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Sign out one device',
    params: z.object({ id }),
    answer: message,
  },
  endOtherDevices: {
    method: 'DELETE',
    path: '/api/v1/secure/client/sessions',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Sign out every device but this one',
    answer: message,
  },
  exportOwnData: {
    method: 'GET',
    path: '/api/v1/secure/client/export',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Everything that is held about me',
    answer: ownData,
  },
  exportOwnFiles: {
    method: 'GET',
    path: '/api/v1/secure/client/export.zip',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'Everything that is held about me as data.json, with the pictures and documents I sent beside it',
    answer: 'application/zip',
  },
  eraseAccount: {
    method: 'DELETE',
    path: '/api/v1/secure/client/account',
    access: { of: 'self' },
    tag: 'settings',
    summary: 'End my account for good: visits stay in the books of institutes, without me',
    body: accountForm,
    answer: message,
    refusals: ['visits_ahead', 'last_owner'],
  },
})
