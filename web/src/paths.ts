// Builds every link of the product, so that no address is written twice.
import { callAddresses } from '#/contract/call-addresses.ts'
import { siteRoutes, sitePath } from '@soigne/contract/site-routes'

export const paths = {
  home: siteRoutes.home.path,
  homeForProfessionals: `${siteRoutes.home.path}?view=pro`,
  institutes: siteRoutes.institutes.path,
  terms: siteRoutes.terms.path,
  reviewsPolicy: siteRoutes.reviewsPolicy.path,
  help: siteRoutes.help.path,
  icons: siteRoutes.icons.path,
  setup: siteRoutes.setup.path,
  mySalon: siteRoutes.mySalon.path,
  ownSalon: siteRoutes.ownSalon.path,
  diary: siteRoutes.diary.path,
  rearranging: siteRoutes.rearranging.path,
  sales: siteRoutes.sales.path,
  counter: siteRoutes.counter.path,
  payouts: siteRoutes.payouts.path,
  customers: siteRoutes.customers.path,
  services: siteRoutes.services.path,
  team: siteRoutes.team.path,
  resources: siteRoutes.resources.path,
  instituteSettings: siteRoutes.instituteSettings.path,
  appointments: siteRoutes.appointments.path,
  favourites: siteRoutes.favourites.path,
  settings: siteRoutes.settings.path,
  verification: siteRoutes.verification.path,
  giveAccess: siteRoutes.giveAccess.path,
  chats: siteRoutes.chats.path,
  instituteChats: siteRoutes.instituteChats.path,
  resetPassword: siteRoutes.resetPassword.path,
} as const

function withFrom(path: string, from: string | undefined): string {
  return from && from !== paths.home ? `${path}?${new URLSearchParams({ from })}` : path
}

/** Where to sign in; `from` is the path, query and hash to come back to. */
export function loginPath(from?: string): string {
  return withFrom(siteRoutes.login.path, from)
}

export function registerPath(from?: string): string {
  return withFrom(siteRoutes.register.path, from)
}

/** Where the server starts the way to the provider of identities; no page of the router. `forCalendar`: ask again to be let into the calendar. */
export function providerPath(asked: { role: string | null; from: string | null; forCalendar?: boolean }): string {
  const query = new URLSearchParams({
    role: asked.role ?? 'isClient',
    ...(asked.from !== null && { from: asked.from }),
    ...(asked.forCalendar && { for: 'calendar' }),
  })
  return `${callAddresses.signInAtProvider.split(' ')[1]}/start?${query}`
}

/** Where a calendar is connected; `from` is where to go on afterwards. */
export function giveAccessPath(from: string | null): string {
  return withFrom(paths.giveAccess, from ?? undefined)
}

export function salonPath(slug: string): string {
  return sitePath('institute', { slug })
}

/** The booking of one institute; the choice (services, members, day, time) lives in the query. */
export function bookingPath(slug: string, choice?: URLSearchParams): string {
  const query = choice?.toString()
  return sitePath('booking', { slug }) + (query ? `?${query}` : '')
}

/** A conversation, on the side of whoever looks. */

export function chatPath(side: 'client' | 'institute', id: string): string {
  return side === 'client' ? sitePath('chat', { id }) : sitePath('instituteChat', { id })
}

export function appointmentPath(id: string): string {
  return sitePath('appointment', { id })
}

/** The search with filters under the names of its query; empty ones are left out. */
export function institutesPath(filters: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
  const text = query.toString()
  return text ? `${paths.institutes}?${text}` : paths.institutes
}
