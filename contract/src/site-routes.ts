/** The addresses of the site, written once: pages, links, guards, kept documents, sitemaps and robots.txt are made from this table. */

/** What one page of the site is: where it stands, who may see it, and how its document is made and found. */
export interface SiteRoute {
  /** Path on the site; `:name` stands for one part of it. */
  readonly path: `/${string}`
  /**
   * `public`: anybody, never behind the email gate. `everyone`: anybody; a signed-in person meets the gates.
   * `guest`: for those who are not signed in. `login`: for those who are.
   */
  readonly access: 'public' | 'everyone' | 'guest' | 'login'
  /** Absent: every role. `professionals`: clients are sent home. `new-professionals`: so are owners of an institute. */
  readonly audience?: 'professionals' | 'new-professionals'
  /** `kept`: the same for every guest, so it is kept for a few seconds. `made`: rendered for each request. */
  readonly document: 'kept' | 'made'
  /** `after-paint`: the page is read before it is used (`docs/decisions/008`). `at-once`: it is made of forms. */
  readonly scripts: 'after-paint' | 'at-once'
  /** `listed`: in the sitemap. `by-institute`: once for each published institute. `unlisted`: left alone. `kept-off`: named in robots.txt. */
  readonly crawlers: 'listed' | 'by-institute' | 'unlisted' | 'kept-off'
}

/** Every page by name. Of two paths that fit one address the one without parameters stands first. */
export const siteRoutes = {
  home: { path: '/', access: 'everyone', document: 'kept', scripts: 'after-paint', crawlers: 'listed' },
  institutes: { path: '/institutes', access: 'public', document: 'kept', scripts: 'after-paint', crawlers: 'listed' },
  institute: { path: '/salon/:slug', access: 'public', document: 'kept', scripts: 'after-paint', crawlers: 'by-institute' },
  booking: { path: '/salon/:slug/book', access: 'public', document: 'made', scripts: 'at-once', crawlers: 'kept-off' },
  appointments: { path: '/appointment/list', access: 'login', document: 'made', scripts: 'at-once', crawlers: 'kept-off' },
  appointment: { path: '/appointment/:id', access: 'login', document: 'made', scripts: 'at-once', crawlers: 'kept-off' },
  login: { path: '/login', access: 'guest', document: 'made', scripts: 'at-once', crawlers: 'listed' },
  register: { path: '/register', access: 'guest', document: 'made', scripts: 'at-once', crawlers: 'listed' },
  resetPassword: { path: '/reset-password', access: 'guest', document: 'made', scripts: 'at-once', crawlers: 'unlisted' },
  terms: { path: '/terms', access: 'public', document: 'kept', scripts: 'after-paint', crawlers: 'listed' },
  help: { path: '/contact', access: 'public', document: 'kept', scripts: 'after-paint', crawlers: 'listed' },
  icons: { path: '/icons', access: 'public', document: 'kept', scripts: 'after-paint', crawlers: 'listed' },
  setup: {
    path: '/institute-register',
    access: 'login',
    audience: 'new-professionals',
    document: 'made',
    scripts: 'at-once',
    crawlers: 'kept-off',
  },
  mySalon: { path: '/mysalon', access: 'login', audience: 'professionals', document: 'made', scripts: 'at-once', crawlers: 'kept-off' },
} as const satisfies Record<string, SiteRoute>

/** Name of a page. */
export type SiteRouteName = keyof typeof siteRoutes

/** First parts of addresses that the server answers itself: no page stands below them. */
export const serverPrefixes = ['api', 'dev', 'files', 'health', 'ready', 'metrics'] as const
/** Those of them that crawlers are kept off. */
export const serverPrefixesKeptOff = ['api', 'dev'] as const satisfies readonly (typeof serverPrefixes)[number][]

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Params<Name extends SiteRouteName> = Record<NamesIn<(typeof siteRoutes)[Name]['path']>, string>

/** The path of a page with its parts filled in and encoded, such as `/salon/atelier-nacre`. */
export function sitePath<const Name extends SiteRouteName>(
  name: Name,
  ...[params]: keyof Params<Name> extends never ? [] : [params: Params<Name>]
): string {
  const values: Record<string, string> = params ?? {}
  return siteRoutes[name].path.replaceAll(/:(\w+)/g, (_, part: string) => encodeURIComponent(values[part] ?? ''))
}
