// Who may open which path, and where everybody else goes. The whole table of the product is here.
import { matchPath } from 'react-router'
import { loginPath, paths } from '#/paths.ts'
import type { Session } from './session.tsx'

/**
 * public: anybody, never behind the email gate.
 * everyone: anybody; a signed-in person meets the gates.
 * guest: for those who are not signed in.
 * login: for those who are.
 */
export type Access = 'public' | 'everyone' | 'guest' | 'login'

export const accessTable: readonly (readonly [pattern: string, access: Access])[] = [
  ['/', 'everyone'],
  ['/terms', 'public'],
  ['/contact', 'public'],
  ['/icons', 'public'],
  ['/institutes', 'public'],
  ['/salon/*', 'public'],
  ['/login', 'guest'],
  ['/register', 'guest'],
  ['/reset-password', 'guest'],
  ['/institute-register', 'login'],
  ['/mysalon/*', 'login'],
  ['/appointment/*', 'login'],
]

export function accessOf(pathname: string): Access {
  return accessTable.find(([pattern]) => matchPath(pattern, pathname))?.[1] ?? 'public'
}

export type Visit = {
  pathname: string
  /** Path, query and hash as they stand in the address. */
  place: string
  /** The professional chose "Skip for now" in the wizard. */
  skipsRegistration: boolean
  /** Where a change of session that just happened leads. */
  landing: string | null
}

export type Decision =
  | { kind: 'stay' }
  /** Not known yet: show the calm skeleton. */
  | { kind: 'wait' }
  /** Email Confirmation takes the place of the page. */
  | { kind: 'gate' }
  | { kind: 'redirect'; to: string }
  /** The session could not be asked for. */
  | { kind: 'failed' }

const stay: Decision = { kind: 'stay' }

function redirect(to: string): Decision {
  return { kind: 'redirect', to }
}

type User = Extract<Session, { kind: 'user' }>['user']

function decideForUser(visit: Visit, access: Access, user: User): Decision {
  if (access === 'guest' && visit.landing !== null && visit.landing !== visit.place) return redirect(visit.landing)
  if (access === 'public') return stay
  if (!user.isEmailVerified) return { kind: 'gate' }
  if (access === 'guest') return redirect(user.institute ? paths.mySalon : paths.home)
  return decideByInstitute(visit, user)
}

function decideByInstitute({ pathname, skipsRegistration }: Visit, user: User): Decision {
  const atSetup = matchPath(paths.setup, pathname) !== null
  const atSalon = matchPath(`${paths.mySalon}/*`, pathname) !== null
  if (user.role === 'isClient') return atSetup || atSalon ? redirect(paths.home) : stay
  if (user.institute) return atSetup ? redirect(paths.home) : stay
  return atSetup || skipsRegistration ? stay : redirect(paths.setup)
}

/** In this order: login, email, guest-only, institute. */
export function decide(visit: Visit, session: Session): Decision {
  const access = accessOf(visit.pathname)
  switch (session.kind) {
    case 'unread':
      return access === 'login' ? { kind: 'wait' } : stay
    case 'guest':
      return access === 'login' ? redirect(visit.landing ?? loginPath(visit.place)) : stay
    case 'loading':
      return access === 'login' || access === 'guest' ? { kind: 'wait' } : stay
    case 'failed':
      return access === 'login' || access === 'guest' ? { kind: 'failed' } : stay
    case 'user':
      return decideForUser(visit, access, session.user)
  }
}
