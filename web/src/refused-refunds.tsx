// Money that a provider did not give back: to whom, how much and why, with trying again and noting that it was paid back otherwise.
import type { RefusedRefund } from '@soigne/contract/payments'
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
import { useMay } from '#/use-may.ts'
import { PaymentIssueLine, type PaymentIssueProps, PaymentIssues } from './payment-issues.tsx'
import styles from './payment-issues.module.css'

/** Both places that tell of refused refunds. */
function useReadAgain() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: dashboardKeys.sales.all }),
      queries.invalidateQueries({ queryKey: dashboardKeys.home }),
    ])
}

function SettleDialog({ refund, onClose }: { refund: RefusedRefund; onClose: () => void }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const title = useId()
  const readAgain = useReadAgain()
  const [how, setHow] = useState('')
  const settle = useMutation({
    mutationFn: () => dashboardApi.settleRefund({ params: { id: refund._id }, body: { how: how.trim() } }),
    onSuccess: ({ message }) => {
      showToast({ type: 'success', title: message })
      onClose()
    },
    onSettled: readAgain,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (how.trim() !== '' && !settle.isPending) settle.mutate()
  }
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.dialog}>
      <h2 id={title} className="d3">
        {t('refused.settle')}
      </h2>
      <p className="muted">{t('refused.settleText', { amount: money(refund.amount, true) })}</p>
      <form className={styles.form} onSubmit={submit}>
        <TextArea label={t('refused.how')} rows={2} maxLength={300} required value={how} onChange={({ target }) => setHow(target.value)} />
        {settle.error && (
          <Notice tone="error" announce>
            {failureText(settle.error)}
          </Notice>
        )}
        <Button type="submit" loading={settle.isPending}>
          {t('refused.confirm')}
        </Button>
      </form>
    </Modal>
  )
}

function Tools({ refund }: { refund: RefusedRefund }) {
  const { t } = useTranslation('sales')
  const readAgain = useReadAgain()
  const [isSettling, setSettling] = useState(false)
  // Asking again helps only where the account is connected again.
  const isDisconnected = refund.why === 'disconnected'
  const again = useMutation({
    mutationFn: () => dashboardApi.sendRefundAgain({ params: { id: refund._id } }),
    onSuccess: ({ state }) => showToast({ type: 'success', title: t(`refused.again.${state}`) }),
    onSettled: readAgain,
  })
  const ways = [
    <Button
      key="again"
      variant={isDisconnected ? 'text' : 'outline'}
      size="small"
      icon="repeat"
      loading={again.isPending}
      onClick={() => again.mutate()}
    >
      {t('refused.tryAgain')}
    </Button>,
    <Button key="settle" variant={isDisconnected ? 'outline' : 'text'} size="small" onClick={() => setSettling(true)}>
      {t('refused.settle')}
    </Button>,
  ]
  return (
    <>
      {again.error && (
        <Notice tone="error" announce>
          {failureText(again.error)}
        </Notice>
      )}
      <div className={styles.tools}>{isDisconnected ? ways.toReversed() : ways}</div>
      {isSettling && <SettleDialog refund={refund} onClose={() => setSettling(false)} />}
    </>
  )
}

function Row({ refund, timeZone, leads }: PaymentIssueProps & { refund: RefusedRefund }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const mayRefund = useMay('sales.refund')
  const { amount, client, at, why, settled, saleId } = refund
  const momentOf = (instant: string) => ({ day: times.dayOfInstant(instant, timeZone), time: times.time(instant, timeZone) })
  return (
    <li>
      <PaymentIssueLine saleId={saleId} leads={leads}>
        {t('refused.line', { amount: money(amount, true), client: client ?? t('refused.aClient') })}
      </PaymentIssueLine>
      <p className="small">{t(`refused.why.${why ?? 'unknown'}`)}</p>
      {why === 'disconnected' && settled === null && <p className="small">{t('refused.disconnectedNext')}</p>}
      <p className="small muted">{t('refused.refusedAt', momentOf(at))}</p>
      {settled && (
        <p className="small">
          {settled.by === null
            ? t('refused.settled', { how: settled.how, ...momentOf(settled.at) })
            : t('refused.settledBy', { how: settled.how, name: settled.by, ...momentOf(settled.at) })}
        </p>
      )}
      {!settled && mayRefund && <Tools refund={refund} />}
    </li>
  )
}

export function RefusedRefunds({ refunds, ...shown }: PaymentIssueProps & { refunds: readonly RefusedRefund[] }) {
  const { t } = useTranslation('sales')
  if (refunds.length === 0) return null
  return (
    <PaymentIssues title={t('refused.title', { count: refunds.length })} waits={refunds.some(({ settled }) => settled === null)}>
      {refunds.map((refund) => (
        <Row key={refund._id} refund={refund} {...shown} />
      ))}
    </PaymentIssues>
  )
}
