// The sheet of the dashboard. A page with the kit says `export { dashboardLinks as links } from '#/kit/dashboard-links.ts'`.
import type { LinksFunction } from 'react-router'
import sheet from './dashboard.css?url'

/** The page waits for the sheet before it shows, also when it is reached by a link. */
export const dashboardLinks: LinksFunction = () => [{ rel: 'stylesheet', href: sheet }]
