// Session users of component tests.
import type { SessionUser } from '@soigne/contract/session'

const base = { imageUrl: null, isEmailVerified: true, isConnectedGoogle: false, hasGoogleCalendarAccess: false }

export const client: SessionUser = {
  ...base,
  id: 'u-ann',
  email: 'ann@example.test',
  role: 'isClient',
  firstName: 'Ann',
  lastName: 'Lindqvist',
}

export const professional: SessionUser = {
  ...base,
  id: 'u-noor',
  email: 'noor@example.test',
  role: 'isPro',
  firstName: 'Noor',
  lastName: 'Haddad',
}

export const owner: SessionUser = {
  ...professional,
  id: 'u-odile',
  email: 'odile@example.test',
  firstName: 'Odile',
  institute: { _id: 'i-nacre', slug: 'atelier-nacre', name: 'Atelier Nacre' },
}

export function unverified(user: SessionUser): SessionUser {
  return { ...user, isEmailVerified: false }
}
