// Signing out takes the kept days along; what the server does not have yet is asked about first.
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useUser } from '#/platform/session.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { forgetWaiting, waitingAt } from './desk.ts'
import { forgetSheet, ownerOf } from './sheet.ts'

type Leaving = { logout: () => void; onStay?: () => void }

export function useDeskLogout({ logout, onStay }: Leaving): () => void {
  const { t } = useTranslation('day-sheet')
  const user = useUser()
  const owner = user && ownerOf(user)
  async function leave() {
    const changes = owner === null ? [] : await waitingAt(owner)
    const count = changes.length
    if (count > 0 && !(await askConfirm({ title: t('logout.title', { count }), message: t('logout.text') }))) return onStay?.()
    await forgetWaiting(changes)
    if (owner !== null) await forgetSheet(owner)
    logout()
  }
  return () => void leave()
}

/** Leaves as soon as it is there: for pages that know nothing of the desk. */
export function DeskLeave(leaving: Leaving) {
  const leave = useEffectEvent(useDeskLogout(leaving))
  useEffect(() => leave(), [])
  return null
}
