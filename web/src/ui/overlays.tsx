// The three overlays every page has. Each loads when there is one to show.
import { Suspense, useEffect } from 'react'
import { alertStore } from './alerts.ts'
import { confirmStore } from './confirms.ts'
import { useStore } from './store.ts'
import { toastStore } from './toasts.ts'
import { lazily } from './lazily.tsx'

const AlertDialog = lazily(async () => (await import('./alert-dialog.tsx')).AlertDialog)
const ConfirmDialog = lazily(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
const loadToasts = async () => (await import('./toast-stack.tsx')).ToastStack
const ToastStack = lazily(loadToasts)

/** What a toast is made of comes with the first touch of the page: it may have to say that the connection is gone. */
function useToastsAhead(): void {
  useEffect(() => {
    const left = new AbortController()
    const load = () => {
      left.abort()
      void loadToasts().catch(() => {})
    }
    for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, load, { signal: left.signal })
    return () => left.abort()
  }, [])
}

export type OverlaysProps = {
  labels: {
    notifications: string
    close: string
    ok: string
    /** "cancle" in English: the product's own spelling. */
    cancel: string
    confirm: string
    confirmHint: string
  }
  onRedirect: (address: string) => void
}

export function Overlays({ labels, onRedirect }: OverlaysProps) {
  const hasAlert = useStore(alertStore).length > 0
  const hasQuestion = useStore(confirmStore).length > 0
  const hasToast = useStore(toastStore).length > 0
  useToastsAhead()
  // Its place is named before anything is said in it, and before any script.
  const noToasts = <div popover="manual" role="region" aria-label={labels.notifications} />
  return (
    <>
      <Suspense>
        {hasAlert && <AlertDialog okLabel={labels.ok} closeLabel={labels.close} onRedirect={onRedirect} />}
        {hasQuestion && <ConfirmDialog cancelLabel={labels.cancel} confirmLabel={labels.confirm} hint={labels.confirmHint} />}
      </Suspense>
      <Suspense fallback={noToasts}>{hasToast ? <ToastStack label={labels.notifications} closeLabel={labels.close} /> : noToasts}</Suspense>
    </>
  )
}
