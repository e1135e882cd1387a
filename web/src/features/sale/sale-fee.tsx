// The fee of a visit that was cancelled late or missed: what becomes of it, and waiving it or giving it back.
import type { Sale } from '@soigne/contract/sales'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './sale.module.css'

type Fee = NonNullable<Sale['fee']>

function WaiveDialog({ fee, onClose }: { fee: Fee; onClose: () => void }) {
  const { t } = useTranslation('sales')
  const title = useId()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const isBack = fee.state === 'charged'
  const waive = useMutation({
    mutationFn: () => dashboardApi.waiveFee({ params: { id: fee._id }, body: { reason: reason.trim() } }),
    onSuccess: ({ message }) => {
      showToast({ type: 'success', title: message })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.sales.all }),
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

export function SaleFee({ sale: { fee, timeZone } }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const [isWaiving, setWaiving] = useState(false)
  if (!fee) return null
  const when = t('moment', { day: times.dayOfInstant(fee.dueAt, timeZone), time: times.time(fee.dueAt, timeZone) })
  return (
    <section aria-labelledby="fee">
      <h2 id="fee" className="d4">
        {t('fee.title')}
      </h2>
      <p>
        <span className="strong">{t(`fee.kinds.${fee.kind}`)}</span> <bdi className="strong tabular">{money(fee.amount, true)}</bdi>
      </p>
      <p className="muted">{t(`fee.states.${fee.state}`, { when })}</p>
      {fee.reason !== null && <p className="small muted">{t('fee.reasonLine', { reason: fee.reason })}</p>}
      {fee.canWaive && (
        <p className={styles.feeTool}>
          <Button variant="outline" onClick={() => setWaiving(true)}>
            {t(fee.state === 'charged' ? 'fee.giveBack' : 'fee.waive')}
          </Button>
        </p>
      )}
      {isWaiving && <WaiveDialog fee={fee} onClose={() => setWaiving(false)} />}
    </section>
  )
}
