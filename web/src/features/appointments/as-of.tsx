// Without a connection: from when what is shown is, and what has to wait.
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import { createStore, useStore } from '#/ui/store.ts'
import { useVisitTexts } from './visit-texts.ts'

/** When the oldest answer shown was given; null while answers come from the server. */
const keptSince = createStore<string | null>(null)

function hear({ data }: MessageEvent<unknown>): void {
  if (typeof data !== 'object' || data === null || !('keptAt' in data) || typeof data.keptAt !== 'string') return
  const before = keptSince.get()
  if (before === null || data.keptAt < before) keptSince.set(data.keptAt)
}

// From the start: an answer may come before whatever shows it.
if (typeof navigator !== 'undefined' && 'serviceWorker' in navigator) {
  navigator.serviceWorker.addEventListener('message', hear)
  addEventListener('online', () => keptSince.set(null))
}

export function AsOf() {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const keptAt = useStore(keptSince)
  if (keptAt === null) return null
  return (
    <Notice tone="warning" icon="offline" announce title={t('offline.title')}>
      {t('offline.asOf', { when: texts.whenInside(keptAt, Intl.DateTimeFormat().resolvedOptions().timeZone) })}
    </Notice>
  )
}
