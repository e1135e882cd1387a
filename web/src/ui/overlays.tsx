// The three overlays every page has. Alert and confirmation load only when one is asked for.
import { Suspense } from 'react'
import { alertStore } from './alerts.ts'
import { confirmStore } from './confirms.ts'
import { useStore } from './store.ts'
import { ToastStack } from './toast-stack.tsx'
import { lazily } from './lazily.tsx'

const AlertDialog = lazily(async () => (await import('./alert-dialog.tsx')).AlertDialog)
const ConfirmDialog = lazily(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

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
  return (
    <>
      <Suspense>
        {hasAlert && <AlertDialog okLabel={labels.ok} closeLabel={labels.close} onRedirect={onRedirect} />}
        {hasQuestion && <ConfirmDialog cancelLabel={labels.cancel} confirmLabel={labels.confirm} hint={labels.confirmHint} />}
      </Suspense>
      <ToastStack label={labels.notifications} closeLabel={labels.close} />
    </>
  )
}
