/** The addresses of the site, written once: pages, links and guards are made from this table; its other columns, for servers only, stand in site-documents.ts. */

/** Where a page stands and who may see it. */
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
}

/** Every page by name. Of two paths that fit one address the one without parameters stands first. */
export const siteRoutes = {
  home: { path: '/', access: 'everyone' },
  institutes: { path: '/institutes', access: 'public' },
  institute: { path: '/salon/:slug', access: 'public' },
  booking: { path: '/salon/:slug/book', access: 'public' },
  appointments: { path: '/appointment/list', access: 'login' },
  appointment: { path: '/appointment/:id', access: 'login' },
  favourites: { path: '/wishlists', access: 'login' },
  settings: { path: '/settings', access: 'login' },
  chats: { path: '/chat', access: 'login' },
  chat: { path: '/chat/:id', access: 'login' },
  login: { path: '/login', access: 'guest' },
  register: { path: '/register', access: 'guest' },
  resetPassword: { path: '/reset-password', access: 'guest' },
  verification: { path: '/verification', access: 'login' },
  giveAccess: { path: '/give-access', access: 'login' },
  terms: { path: '/terms', access: 'public' },
  reviewsPolicy: { path: '/reviews-policy', access: 'public' },
  help: { path: '/contact', access: 'public' },
  icons: { path: '/icons', access: 'public' },
  setup: { path: '/institute-register', access: 'login', audience: 'new-professionals' },
  mySalon: { path: '/mysalon', access: 'login', audience: 'professionals' },
  ownSalon: { path: '/mysalon/current', access: 'login', audience: 'professionals' },
  diary: { path: '/mysalon/appointments/calendar', access: 'login', audience: 'professionals' },
  rearranging: { path: '/mysalon/appointments/rearrange', access: 'login', audience: 'professionals' },
  instituteChats: { path: '/mysalon/messages', access: 'login', audience: 'professionals' },
  instituteChat: { path: '/mysalon/messages/:id', access: 'login', audience: 'professionals' },
  till: { path: '/mysalon/appointments/:id/till', access: 'login', audience: 'professionals' },
  sales: { path: '/mysalon/invoices', access: 'login', audience: 'professionals' },
  counter: { path: '/mysalon/invoices/new', access: 'login', audience: 'professionals' },
  payouts: { path: '/mysalon/invoices/payouts', access: 'login', audience: 'professionals' },
  sale: { path: '/mysalon/invoices/:id', access: 'login', audience: 'professionals' },
  customers: { path: '/mysalon/customers', access: 'login', audience: 'professionals' },
  customer: { path: '/mysalon/customers/:id', access: 'login', audience: 'professionals' },
  services: { path: '/mysalon/services', access: 'login', audience: 'professionals' },
  service: { path: '/mysalon/services/:id', access: 'login', audience: 'professionals' },
  team: { path: '/mysalon/staff', access: 'login', audience: 'professionals' },
  resources: { path: '/mysalon/staff/resources', access: 'login', audience: 'professionals' },
  teamMember: { path: '/mysalon/staff/:id', access: 'login', audience: 'professionals' },
  instituteSettings: { path: '/mysalon/settings', access: 'login', audience: 'professionals' },
  instituteSettingsPart: { path: '/mysalon/settings/:part', access: 'login', audience: 'professionals' },
} as const satisfies Record<string, SiteRoute>

/** Name of a page. */
export type SiteRouteName = keyof typeof siteRoutes

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
