// Which page of the table stands on the screen.
import { siteRoutes, type SiteRouteName } from '@soigne/contract/site-routes'
import { useMatches } from 'react-router'

/** The page among matched routes; null on an address of no page. */
export function siteRouteOf(matches: readonly { readonly id: string }[]): SiteRouteName | null {
  const id = matches.at(-1)?.id
  return id !== undefined && Object.hasOwn(siteRoutes, id) ? (id as SiteRouteName) : null
}

export function useSiteRoute(): SiteRouteName | null {
  return siteRouteOf(useMatches())
}
