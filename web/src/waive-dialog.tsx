// Asks why a fee is waived, or given back once it was charged: on its sale, and in the visit that was missed.
import type { OpenFee } from '@soigne/contract/fees'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { undoMs } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './waive-dialog.module.css'

type WaivedFee = Pick<OpenFee, '_id' | 'state'>

/** Until the client is told. */
function useTakeBack({ _id: id }: WaivedFee, readAgain: () => Promise<void>) {
  const { t } = useTranslation('sales')
  const takeBack = useMutation({
    mutationFn: () => dashboardApi.undoWaiver({ params: { id } }),
    onSuccess: ({ message }) => void showToast({ type: 'success', title: message }),
    onError: (error) => void showToast({ type: 'error', title: failureText(error) }),
    onSettled: readAgain,
  })
  return { label: t('fee.undo'), onAction: () => takeBack.mutate() }
}

export function WaiveDialog({ fee, onClose }: { fee: WaivedFee; onClose: () => void }) {
  const { t } = useTranslation('sales')
  const title = useId()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const isBack = fee.state === 'charged'
  const readAgain = () => queries.invalidateQueries({ queryKey: dashboardKeys.sales.all })
  const undo = useTakeBack(fee, readAgain)
  const waive = useMutation({
    mutationFn: () => dashboardApi.waiveFee({ params: { id: fee._id }, body: { reason: reason.trim() } }),
    onSuccess: ({ message }) => {
      showToast({ type: 'success', title: message, ...(fee.state === 'due' && { durationMs: undoMs, action: undo }) })
      onClose()
    },
    onSettled: readAgain,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.trim() !== '' && !waive.isPending) waive.mutate()
  }
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.dialog}>
      <h2 id={title} className="d3">
        {t(isBack ? 'fee.giveBack' : 'fee.waive')}
      </h2>
      <p className="muted">{t(isBack ? 'fee.giveBackText' : 'fee.waiveText')}</p>
      <form className={styles.form} onSubmit={submit}>
        <TextArea
          label={t('fee.reason')}
          rows={2}
          maxLength={300}
          required
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {waive.error && (
          <Notice tone="error" announce>
            {failureText(waive.error)}
          </Notice>
        )}
        <Button type="submit" loading={waive.isPending}>
          {t(isBack ? 'fee.confirmBack' : 'fee.confirm')}
        </Button>
      </form>
    </Modal>
  )
}
