// Money that a provider did not give back: to whom, how much and why, with trying again and noting that it was paid back otherwise.
import type { RefusedRefund } from '@soigne/contract/payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
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
import styles from './refused-refunds.module.css'

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
  const { t } = useTranslation('refunds')
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
        {t('settle')}
      </h2>
      <p className="muted">{t('settleText', { amount: money(refund.amount, true) })}</p>
      <form className={styles.form} onSubmit={submit}>
        <TextArea label={t('how')} rows={2} maxLength={300} required value={how} onChange={({ target }) => setHow(target.value)} />
        {settle.error && (
          <Notice tone="error" announce>
            {failureText(settle.error)}
          </Notice>
        )}
        <Button type="submit" loading={settle.isPending}>
          {t('confirm')}
        </Button>
      </form>
    </Modal>
  )
}

function Tools({ refund }: { refund: RefusedRefund }) {
  const { t } = useTranslation('refunds')
  const readAgain = useReadAgain()
  const [isSettling, setSettling] = useState(false)
  const again = useMutation({
    mutationFn: () => dashboardApi.sendRefundAgain({ params: { id: refund._id } }),
    onSuccess: ({ state }) => showToast({ type: 'success', title: t(`again.${state}`) }),
    onSettled: readAgain,
  })
  return (
    <>
      {again.error && (
        <Notice tone="error" announce>
          {failureText(again.error)}
        </Notice>
      )}
      <div className={styles.tools}>
        <Button variant="outline" size="small" icon="repeat" loading={again.isPending} onClick={() => again.mutate()}>
          {t('tryAgain')}
        </Button>
        <Button variant="text" size="small" onClick={() => setSettling(true)}>
          {t('settle')}
        </Button>
      </div>
      {isSettling && <SettleDialog refund={refund} onClose={() => setSettling(false)} />}
    </>
  )
}

type Shown = {
  timeZone: string
  /** Each leads to its sale, where it has one. */
  leads?: boolean
}

function Row({ refund, timeZone, leads }: Shown & { refund: RefusedRefund }) {
  const { t } = useTranslation('refunds')
  const money = useMoney()
  const times = useTimes()
  const mayRefund = useMay('sales.refund')
  const { amount, client, at, why, settled, saleId } = refund
  const momentOf = (instant: string) => t('moment', { day: times.dayOfInstant(instant, timeZone), time: times.time(instant, timeZone) })
  const words = { amount: money(amount, true), client: client ?? t('aClient') }
  const noted = settled && { ...settled, when: momentOf(settled.at), name: settled.by ?? '' }
  return (
    <li>
      <p className="strong">
        {leads && saleId !== null ? (
          <Link to={salePath(saleId)} className="link">
            {t('line', words)}
          </Link>
        ) : (
          t('line', words)
        )}
      </p>
      <p className="small">{t(`why.${why ?? 'unknown'}`)}</p>
      <p className="small muted">{t('refusedAt', { when: momentOf(at) })}</p>
      {noted && <p className="small">{t(noted.by === null ? 'settled' : 'settledBy', noted)}</p>}
      {!settled && mayRefund && <Tools refund={refund} />}
    </li>
  )
}

export function RefusedRefunds({ refunds, ...shown }: Shown & { refunds: readonly RefusedRefund[] }) {
  const { t } = useTranslation('refunds')
  const title = useId()
  if (refunds.length === 0) return null
  const waits = refunds.some(({ settled }) => settled === null)
  return (
    <section aria-labelledby={title} className={waits ? styles.waits : styles.settled}>
      <h2 id={title} className="d4">
        {t('title', { count: refunds.length })}
      </h2>
      <ul>
        {refunds.map((refund) => (
          <Row key={refund._id} refund={refund} {...shown} />
        ))}
      </ul>
    </section>
  )
}
