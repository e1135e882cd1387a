// Applies the table of guards to the page on screen.
import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { decide, type Decision } from './guards.ts'
import { placeText } from './return-location.ts'
import { currentLanding, land, useSession } from './session.tsx'
import { readStored, storageKeys, watchStored } from './storage.ts'

function useSkipsRegistration(): boolean {
  return useSyncExternalStore(
    watchStored,
    () => readStored(storageKeys.skipRegistration) !== null,
    () => false,
  )
}

export function useDecision(): Decision {
  const location = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const skipsRegistration = useSkipsRegistration()
  const place = placeText(location)
  const visit = { pathname: location.pathname, place, skipsRegistration, landing: currentLanding() }
  const decision = decide(visit, session)
  const to = decision.kind === 'redirect' ? decision.to : null
  const arrived = decision.kind === 'stay' || decision.kind === 'gate'
  useEffect(() => {
    // Not while on the way there: whatever renders meanwhile has to decide the same.
    if (arrived) land(null)
    if (to !== null) void navigate(to, { replace: true })
  }, [arrived, to, place, session, navigate])
  return decision
}
