// What a provider sent back in the address of the page: a code, which is exchanged once, or a refusal.
import type { Role } from '@soigne/contract/wire'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { keptOrigin } from '#/left-from.ts'
import { giveAccessPath, loginPath, paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { returnLocation } from '#/platform/return-location.ts'
import { useSession, useSessionActions } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'
import { otherRoleOf } from './other-role.ts'
import { isForCalendar } from './provider-way.ts'

/** The state begins with the role that was chosen before leaving. */
const roleIn = (state: string): Role => (state.startsWith('isPro.') ? 'isPro' : 'isClient')

/** What a failed return left for the page without its code. */
function otherRoleLeft(left: unknown): Role | null {
  const role = typeof left === 'object' && left !== null && 'otherRole' in left ? left.otherRole : null
  return role === 'isPro' || role === 'isClient' ? role : null
}

export function useProviderReturn() {
  const { t } = useTranslation('session')
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const { kind } = useSession()
  const { open } = useSessionActions()
  const isTaken = useRef(false)
  const { state: left } = useLocation()
  const [code, state, iss, error] = [query.get('code'), query.get('state'), query.get('iss'), query.get('error')]
  const isReturn = state !== null && code !== null

  async function exchange(googleToken: string, given: string) {
    const role = roleIn(given)
    try {
      const { token, user, isNew, from } = await api.signInAtProvider({
        body: { googleToken, state: given, role, ...(iss !== null && { iss }) },
      })
      const origin = returnLocation(from)
      if (isForCalendar(origin) && !user.hasGoogleCalendarAccess) showToast({ type: 'error', title: t('provider.noCalendar') })
      const offersCalendar = isNew && user.role === 'isClient' && !user.hasGoogleCalendarAccess && !isForCalendar(origin)
      await open(token, user.role === 'isPro' ? paths.mySalon : offersCalendar ? giveAccessPath(origin) : (origin ?? paths.home))
    } catch (failure) {
      showToast({ type: 'error', title: failureText(failure) })
      await navigate(loginPath(keptOrigin() ?? undefined), { replace: true, state: { otherRole: otherRoleOf(failure) } })
    }
  }
  const take = useEffectEvent(() => {
    if (isTaken.current || kind !== 'guest') return
    if (isReturn) {
      isTaken.current = true
      void exchange(code, state)
    } else if (error !== null) {
      isTaken.current = true
      showToast({ type: 'error', title: t(error === 'access_denied' ? 'provider.cancelled' : 'provider.away') })
      void navigate(loginPath(returnLocation(query.get('from')) ?? keptOrigin() ?? undefined), { replace: true })
    }
  })
  useEffect(() => take(), [kind])
  return { isReturning: isReturn, otherRole: otherRoleLeft(left) }
}
