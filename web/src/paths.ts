// Builds every link of the product, so that no address is written twice.

export const paths = {
  home: '/',
  homeForProfessionals: '/?view=pro',
  institutes: '/institutes',
  terms: '/terms',
  help: '/contact',
  icons: '/icons',
  setup: '/institute-register',
  mySalon: '/mysalon',
  appointments: '/appointment/list',
  resetPassword: '/reset-password',
} as const

function withFrom(path: string, from: string | undefined): string {
  return from && from !== '/' ? `${path}?${new URLSearchParams({ from })}` : path
}

/** Where to sign in; `from` is the path, query and hash to come back to. */
export function loginPath(from?: string): string {
  return withFrom('/login', from)
}

export function registerPath(from?: string): string {
  return withFrom('/register', from)
}

export function salonPath(slug: string): string {
  return `/salon/${encodeURIComponent(slug)}`
}

/** The booking of one institute; the choice (services, members, day, time) lives in the query. */
export function bookingPath(slug: string, choice?: URLSearchParams): string {
  const query = choice?.toString()
  return `${salonPath(slug)}/book${query ? `?${query}` : ''}`
}

export function appointmentPath(id: string): string {
  return `/appointment/${encodeURIComponent(id)}`
}

/** The search with filters under the names of its query; empty ones are left out. */
export function institutesPath(filters: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
  const text = query.toString()
  return text ? `${paths.institutes}?${text}` : paths.institutes
}
