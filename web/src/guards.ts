// Who may open which page, and where everybody else goes. Who a page is for stands in the table of routes.
import { siteRoutes, type SiteRoute, type SiteRouteName } from '@soigne/contract/site-routes'
import { useMatches } from 'react-router'
import { loginPath, paths } from '#/paths.ts'
import type { Session } from '#/platform/session.tsx'

/** The page on the screen, as the router matched it; null on an address of no page. */
export function useSiteRoute(): SiteRouteName | null {
  const id = useMatches().at(-1)?.id
  return id !== undefined && Object.hasOwn(siteRoutes, id) ? (id as SiteRouteName) : null
}

/** An address of no page is open: it leads home by itself. */
export function accessOf(route: SiteRouteName | null): SiteRoute['access'] {
  return route === null ? 'public' : siteRoutes[route].access
}

function audienceOf(route: SiteRouteName | null): SiteRoute['audience'] {
  const page: SiteRoute | null = route === null ? null : siteRoutes[route]
  return page?.audience
}

export type Visit = {
  route: SiteRouteName | null
  /** Path, query and hash as they stand in the address. */
  place: string
  /** The professional chose "Skip for now" in the wizard. */
  skipsRegistration: boolean
  /** Where a change of session that just happened leads. */
  pendingRedirect: string | null
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

type Known = Extract<Session, { kind: 'guest' | 'user' }>
/** Null when this guard has nothing to say. */
type Guard = (visit: Visit, session: Known) => Decision | null

const login: Guard = ({ route, place, pendingRedirect }, { kind }) =>
  kind === 'guest' && accessOf(route) === 'login' ? redirect(pendingRedirect ?? loginPath(place)) : null

/** A sign-in that just happened leads where it was started from, before the rules of the page it happened on. */
const signedIn: Guard = ({ route, place, pendingRedirect }, { kind }) =>
  kind === 'user' && accessOf(route) === 'guest' && pendingRedirect !== null && pendingRedirect !== place ? redirect(pendingRedirect) : null

const email: Guard = (_visit, session) => (session.kind === 'user' && !session.user.isEmailVerified ? { kind: 'gate' } : null)

/** A provider sends everybody back to one address; whoever is signed in already was there for their calendar. */
const backFromProvider: Guard = ({ route, place }, { kind }) => {
  const query = new URLSearchParams(place.split('?')[1]?.split('#')[0])
  return kind === 'user' && route === 'login' && query.has('state') ? redirect(`${paths.giveAccess}?${query}`) : null
}

const guestOnly: Guard = ({ route }, session) =>
  session.kind === 'user' && accessOf(route) === 'guest' ? redirect(session.user.institute ? paths.mySalon : paths.home) : null

const institute: Guard = ({ route, skipsRegistration, pendingRedirect }, session) => {
  if (session.kind === 'guest') return null
  const audience = audienceOf(route)
  const { role, institute: own } = session.user
  // Whoever was added to a team works there, whatever their account was made for.
  if (role === 'isClient') return audience && !(own && audience !== 'new-professionals') ? redirect(paths.home) : null
  // Whoever has just published goes on to what became of it.
  if (own) return audience === 'new-professionals' ? redirect(pendingRedirect ?? paths.home) : null
  return audience === 'new-professionals' || skipsRegistration ? null : redirect(paths.setup)
}

/** Asked in this order; the first that says something decides. Public pages ask none of them. */
const guards: readonly Guard[] = [login, signedIn, email, backFromProvider, guestOnly, institute]

export function decide(visit: Visit, session: Session): Decision {
  const access = accessOf(visit.route)
  switch (session.kind) {
    case 'unread':
      return access === 'login' ? { kind: 'wait' } : stay
    case 'loading':
      return access === 'login' || access === 'guest' ? { kind: 'wait' } : stay
    case 'failed':
      return access === 'login' || access === 'guest' ? { kind: 'failed' } : stay
    case 'guest':
    case 'user':
      if (access === 'public') return stay
      for (const guard of guards) {
        const decision = guard(visit, session)
        if (decision) return decision
      }
      return stay
  }
}
