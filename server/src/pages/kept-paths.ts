/** Which pages are the same for every guest, so that one rendering serves them all. */
import { sitePages } from '@soigne/contract/site-documents'
import type { SiteRoute } from '@soigne/contract/site-routes'

/** A page, and what its loaders read: the router asks for that under the same address with `.data` behind it. */
function patternOf({ path }: SiteRoute): RegExp {
  if (path === '/') return /^\/(?:_root\.data)?$/
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}(?:\\.data)?$`)
}

const patterns = sitePages()
  .filter(({ document }) => document === 'kept')
  .map(patternOf)

export const isKeptPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path))
