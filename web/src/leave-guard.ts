// Leaving with something unsaved is asked about; closing the window is, by the browser.
import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { useTranslation } from '#/platform/translation.ts'
import { askConfirm } from '#/ui/confirms.ts'

/** One on a page, which loads the words of forms. What it gives lets the next step go without a question. */
export function useLeaveGuard(isDirty: boolean): () => void {
  const { t } = useTranslation('forms')
  const isLeaving = useRef(false)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return isDirty && !isLeaving.current && currentLocation.pathname !== nextLocation.pathname
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void askConfirm({ title: t('leave.title'), message: t('leave.message') }).then((leaves) =>
      leaves ? blocker.proceed() : blocker.reset(),
    )
  }, [blocker, t])
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return () => {
    isLeaving.current = true
  }
}
