// Payouts: what the provider of payments sent to the bank, or one of them with all its parts.
import { useEffect, useRef } from 'react'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { OnePayout } from './one-payout.tsx'
import { PayoutList } from './payout-list.tsx'
import { usePlace } from './use-payouts.ts'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['payouts', 'sales'] }

/** Both views stand at one path, where the site itself moves no focus: reading goes on at the heading of the other. */
function useHeadingOf(open: string | null) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(open)
  useEffect(() => {
    if (shown.current === open) return
    shown.current = open
    heading.current?.focus({ preventScroll: true })
  }, [open])
  return heading
}

export default function PayoutsPage() {
  const place = usePlace()
  const heading = useHeadingOf(place.open)
  if (place.open === null) return <PayoutList place={place} heading={heading} />
  return <OnePayout id={place.open} up={place.hrefFor({})} heading={heading} />
}
