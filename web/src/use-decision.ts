// Applies the guards to the page on screen.
import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { decide, useSiteRoute, type Decision } from '#/guards.ts'
import { placeText } from '#/platform/return-location.ts'
import { pendingRedirect, setPendingRedirect, useSession } from '#/platform/session.tsx'
import { readStored, storageKeys, watchStored } from '#/platform/storage.ts'

function useSkipsRegistration(): boolean {
  return useSyncExternalStore(
    watchStored,
    () => readStored(storageKeys.skipRegistration) !== null,
    () => false,
  )
}

export function useDecision(): Decision {
  const place = placeText(useLocation())
  const route = useSiteRoute()
  const navigate = useNavigate()
  const session = useSession()
  const skipsRegistration = useSkipsRegistration()
  const decision = decide({ route, place, skipsRegistration, pendingRedirect: pendingRedirect() }, session)
  const to = decision.kind === 'redirect' ? decision.to : null
  const arrived = decision.kind === 'stay' || decision.kind === 'gate'
  useEffect(() => {
    // Not while on the way there: whatever renders meanwhile has to decide the same.
    if (arrived) setPendingRedirect(null)
    if (to !== null) void navigate(to, { replace: true })
  }, [arrived, to, place, session, navigate])
  return decision
}
