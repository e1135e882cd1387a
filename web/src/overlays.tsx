// The words and the way on for what lies over every page.
import { useTranslation } from '#/platform/translation.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useUser } from '#/platform/session.tsx'
import { readStored, storageKeys } from '#/platform/storage.ts'
import { startWorker } from '#/platform/start-worker.ts'
import { unloadedStore } from '#/ui/lazily.tsx'
import { Overlays as OverlayHosts } from '#/ui/overlays.tsx'
import { useStore } from '#/ui/store.ts'
import { showToast } from '#/ui/toasts.ts'

export function Overlays() {
  useEffect(startWorker, [])
  const userId = useUser()?.id
  useEffect(() => {
    // Messages that waited when the page was closed.
    if (userId !== undefined && readStored(storageKeys.messages)?.includes('clientId'))
      void import('#/features/chat/outbox.ts').then(({ resumeAll }) => resumeAll(userId))
  }, [userId])
  const { t } = useTranslation('site')
  const navigate = useNavigate()
  const unloaded = useStore(unloadedStore)
  useEffect(() => {
    if (unloaded > 0) showToast({ type: 'error', title: t('overlays.unloaded'), line: t('overlays.unloadedLine') })
  }, [unloaded, t])
  const labels = {
    notifications: t('overlays.toasts'),
    close: t('overlays.close'),
    ok: t('overlays.ok'),
    cancel: t('overlays.cancel'),
    confirm: t('overlays.confirm'),
    confirmHint: t('overlays.confirmHint'),
  }
  return <OverlayHosts labels={labels} onRedirect={(address) => void navigate(address)} />
}
