// The table of routes as the router takes it.
import { siteRoutes, type SiteRouteName } from '@soigne/contract/site-routes'
import { matchRoutes } from 'react-router'

export const sitePages = (Object.keys(siteRoutes) as SiteRouteName[]).map((id) => ({ id, path: siteRoutes[id].path }))

/** Which page an address belongs to. */
export function routeAt(pathname: string): SiteRouteName | null {
  return (matchRoutes(sitePages, pathname)?.at(-1)?.route.id as SiteRouteName | undefined) ?? null
}
