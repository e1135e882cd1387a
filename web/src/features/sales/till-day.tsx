// The till of today: what should be in it, what was counted, and its closing.
import type { TillDay } from '@soigne/contract/sales'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useKeys } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './till-day.module.css'

/** More or less than there should be, in words. */
function useDifference(currency: string) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  return (difference: number): string => {
    if (difference === 0) return t('till.right')
    const amount = money({ amount: Math.abs(difference), currency }, true)
    return t(difference > 0 ? 'till.over' : 'till.short', { amount })
  }
}

function Facts({ till }: { till: TillDay }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const text = (amount: number) => money({ amount, currency: till.currency }, true)
  const rows = [
    ['cash', till.cash],
    ['terminal', till.terminal],
    ['online', till.online],
    ...(till.giftCards === 0 ? [] : ([['giftCards', till.giftCards]] as const)),
    ['tips', till.tips],
    ['invoiced', till.invoiced],
    ['vat', till.vat],
    ['credited', till.credited],
    ['kept', till.kept],
    ['refunded', till.refunded],
  ] as const
  return (
    <dl className={styles.facts}>
      {rows.map(([name, amount]) => (
        <div key={name}>
          <dt className="muted">{name === 'invoiced' ? t('till.invoices', { count: till.invoices }) : t(`till.${name}`)}</dt>
          <dd className="strong tabular">
            <bdi>{text(amount)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function useClosing(till: TillDay) {
  const { t } = useTranslation('sales')
  const queries = useQueryClient()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: (typed: { float: number; counted: number; reason?: string }) => {
      const body = { day: till.day, ...typed }
      return dashboardApi.closeTill({ body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (closed) => {
      queries.setQueryData(dashboardKeys.sales.tillDay, closed)
      showToast({ type: 'success', title: t('till.done') })
    },
  })
}

function ClosingForm({ till }: { till: TillDay }) {
  const { t } = useTranslation('sales')
  const inWords = useDifference(till.currency)
  const [float, setFloat] = useState<number | null>(0)
  const [counted, setCounted] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const closing = useClosing(till)
  const difference = float === null || counted === null ? null : counted - float - till.cash
  const isOff = difference !== null && difference !== 0
  const isReady = difference !== null && (!isOff || reason.trim() !== '')
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || float === null || counted === null || closing.isPending) return
    if (!(await askConfirm({ title: t('till.confirmTitle'), message: t('till.confirmText'), tone: 'plain' }))) return
    closing.mutate({ float, counted, ...(isOff && { reason: reason.trim() }) })
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <AmountField label={t('till.float')} hint={t('till.floatHint')} currency={till.currency} value={float} onChange={setFloat} />
      <AmountField label={t('till.counted')} hint={t('till.countedHint')} currency={till.currency} value={counted} onChange={setCounted} />
      <p role="status" className={isOff ? styles.off : styles.right}>
        {difference !== null && inWords(difference)}
      </p>
      {isOff && (
        <TextArea
          label={t('till.reason')}
          rows={2}
          maxLength={300}
          required
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      {closing.error && (
        <Notice tone="error" announce>
          {failureText(closing.error)}
        </Notice>
      )}
      <Button type="submit" wide disabled={!isReady} loading={closing.isPending}>
        {t('till.close')}
      </Button>
      <p className="small muted">{isOff && !isReady ? t('till.reasonWanted') : t('till.text')}</p>
    </form>
  )
}

function Closed({ till, closing, zone }: { till: TillDay; closing: NonNullable<TillDay['closing']>; zone: string }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const inWords = useDifference(till.currency)
  const text = (amount: number) => money({ amount, currency: till.currency }, true)
  const time = timeText(closing.closedAt, zone)
  return (
    <div className={styles.form}>
      <Notice tone="success" icon="lock" title={t('till.closed')}>
        {closing.by === null ? t('till.closedAt', { time }) : t('till.closedBy', { time, name: closing.by })}
      </Notice>
      <dl className={styles.facts}>
        <div>
          <dt className="muted">{t('till.float')}</dt>
          <dd className="strong tabular">
            <bdi>{text(closing.float)}</bdi>
          </dd>
        </div>
        <div>
          <dt className="muted">{t('till.counted')}</dt>
          <dd className="strong tabular">
            <bdi>{text(closing.counted)}</bdi>
          </dd>
        </div>
      </dl>
      <p className={closing.difference === 0 ? styles.right : styles.off}>{inWords(closing.difference)}</p>
      {closing.reason && (
        <p dir="auto" className={styles.quote}>
          {closing.reason}
        </p>
      )}
    </div>
  )
}

export function TillDrawer({ zone, onClose }: { zone: string; onClose: () => void }) {
  const { t } = useTranslation('sales')
  const times = useTimes()
  const title = useId()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.sales.tillDay,
    queryFn: ({ signal }) => dashboardApi.tillDay({ query: {} }, { signal }),
    staleTime: 0,
  })
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="drawer" className={styles.drawer}>
      <header className={styles.drawerHead}>
        <div>
          <h2 id={title} className="d3">
            {t('till.title')}
          </h2>
          {data && <p className="muted">{times.day(data.day, zone, 'full')}</p>}
        </div>
        <IconButton icon="close" label={t('till.leave')} onClick={onClose} />
      </header>
      {error && !data ? (
        <ErrorState title={t('till.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('till.loading')} skeleton={<RowSkeleton />}>
          {data && (
            <>
              <Facts till={data} />
              {data.closing ? <Closed till={data} closing={data.closing} zone={zone} /> : <ClosingForm till={data} />}
            </>
          )}
        </Loading>
      )}
    </Modal>
  )
}
