// A sale over the counter, without a visit.
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { TillPlace } from './till-place.tsx'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['till', 'labels'] }

export default function CounterPage() {
  return <TillPlace visitId={null} />
}
