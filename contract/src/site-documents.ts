/** How the documents of the site are made and found: kept pages, waiting scripts, sitemaps and robots.txt are made from this table. */
import type { Locale } from './wire.ts'
import { siteRoutes, type SiteRoute, type SiteRouteName } from './site-routes.ts'

/** How the document of a page is made and found. */
export interface SiteDocument {
  /** `kept`: the same for every guest, so it is kept for a few seconds. `made`: rendered for each request. */
  readonly document: 'kept' | 'made'
  /** `after-paint`: the page is read before it is used (`docs/decisions/008`). `at-once`: it is made of forms. */
  readonly scripts: 'after-paint' | 'at-once'
  /** `listed`: in the sitemap. `by-institute`: once for each published institute. `unlisted`: left alone. `kept-off`: named in robots.txt. */
  readonly crawlers: 'listed' | 'by-institute' | 'unlisted' | 'kept-off'
}

const read = { document: 'kept', scripts: 'after-paint', crawlers: 'listed' } as const
const used = { document: 'made', scripts: 'at-once', crawlers: 'kept-off' } as const

/**
 * Languages the screens are written in from end to end. A document is declared in none but these: letters, answers and stored names
 * have all three already. A language enters when its catalogues lack nothing, which `check-translations.ts` holds.
 */
export const siteLanguages: readonly Locale[] = ['en', 'fr', 'ar']

/** For each page of the table the columns that only servers need; scripts do not carry them. */
export const siteDocuments: Record<SiteRouteName, SiteDocument> = {
  home: read,
  institutes: read,
  institute: { ...read, crawlers: 'by-institute' },
  booking: used,
  appointments: used,
  appointment: used,
  favourites: used,
  settings: used,
  chats: used,
  chat: used,
  login: { ...used, crawlers: 'listed' },
  register: { ...used, crawlers: 'listed' },
  resetPassword: { ...used, crawlers: 'unlisted' },
  verification: used,
  giveAccess: used,
  terms: read,
  reviewsPolicy: read,
  help: read,
  icons: read,
  setup: used,
  mySalon: used,
  ownSalon: used,
  diary: used,
  rearranging: used,
  instituteChats: used,
  instituteChat: used,
  till: used,
  sales: used,
  payouts: used,
  counter: used,
  sale: used,
  customers: used,
  customer: used,
  services: used,
  service: used,
  team: used,
  resources: used,
  teamMember: used,
  instituteSettings: used,
  instituteSettingsPart: used,
}

/** Every page with all its columns. */
export const sitePages = (): (SiteRoute & SiteDocument & { name: SiteRouteName })[] =>
  (Object.keys(siteRoutes) as SiteRouteName[]).map((name) => ({ name, ...siteRoutes[name], ...siteDocuments[name] }))

/** First parts of addresses that the server answers itself: no page stands below them. */
export const serverPrefixes = ['api', 'dev', 'files', 'health', 'ready', 'metrics', 'sandbox'] as const
/** Those of them that crawlers are kept off. */
export const serverPrefixesKeptOff = ['api', 'dev', 'sandbox'] as const satisfies readonly (typeof serverPrefixes)[number][]
