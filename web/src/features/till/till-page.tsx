// The till of a visit: what it comes to, the tip, and how it is paid.
import { useParams } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { TillPlace } from './till-place.tsx'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['till', 'labels'] }

export default function TillPage() {
  const { id = '' } = useParams()
  return <TillPlace key={id} visitId={id} />
}
