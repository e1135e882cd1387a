// In the open visit of somebody who did not come: what is due of it, what is held and what is charged or stays open, waiving it, and charging it at once. For who may read sales.
import type { OpenFee } from '@soigne/contract/fees'
import type { DiaryVisit } from '@soigne/contract/diary'
import { feeWaitHours } from '@soigne/contract/fees'
import { hourMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { useKeys } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'
import { WaiveDialog } from '#/waive-dialog.tsx'
import styles from './visit.module.css'

/** What not coming costs, of which a part may have been paid before, and what becomes of the rest. */
function useSentences({ amount, held, card, state, dueAt }: OpenFee, zone: string): { sum: string; next: string } {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const rest = money(amount, true)
  const costs = money({ ...amount, amount: amount.amount + held.amount }, true)
  const sum = held.amount === 0 ? t('fee.sum', { costs }) : t('fee.sumHeld', { costs, held: money(held, true) })
  const when = t('moment', { day: times.dayOfInstant(dueAt, zone), time: times.time(dueAt, zone) })
  if (state !== 'due') return { sum, next: t('fee.rest', { rest, state: t(`fee.states.${state}`) }) }
  if (!card) return { sum, next: t('fee.staysOpen', { rest }) }
  return { sum, next: t('fee.willBeCharged', { rest, when, brand: card.brand, digits: card.lastFour }) }
}

/** Once the grace after the start is over; then nothing has to be waited for but the time to waive it. */
const mayBeTaken = ({ kind, state, card, dueAt }: OpenFee, now: number): boolean =>
  kind === 'no_show' && state === 'due' && card !== null && now >= parseInstant(dueAt) - feeWaitHours * hourMs

/** Asks first: it cannot be taken back, only given back on its sale. */
function TakeNow({ fee }: { fee: OpenFee }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const keyOf = useKeys()
  const amount = money(fee.amount, true)
  const sale = { label: t('fee.see'), onAction: () => void navigate(salePath(fee.visitId)) }
  const charge = useMutation({
    mutationFn: () => dashboardApi.chargeFee({ params: { id: fee._id }, idempotencyKey: keyOf(fee._id) }),
    onSuccess({ state }) {
      if (state === 'charged') showToast({ type: 'success', title: t('fee.taken', { amount }), action: sale })
      else
        showToast({
          type: state === 'charging' ? 'info' : 'warning',
          title: t('fee.rest', { rest: amount, state: t(`fee.states.${state}`) }),
          action: sale,
        })
    },
    onError: (error) => void showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.sales.all }),
  })
  async function ask() {
    const { brand = '', lastFour: digits = '' } = fee.card ?? {}
    if (await askConfirm({ title: t('fee.takeTitle', { amount }), message: t('fee.takeText', { brand, digits }), tone: 'plain' }))
      charge.mutate()
  }
  return (
    <Button loading={charge.isPending} onClick={() => void ask()}>
      {t('fee.take', { amount })}
    </Button>
  )
}

function Line({ fee, zone }: { fee: OpenFee; zone: string }) {
  const { t } = useTranslation('sales')
  const { sum, next } = useSentences(fee, zone)
  const mayWaive = useMay('sales.refund')
  const [isWaiving, setWaiving] = useState(false)
  const [now] = useState(Date.now)
  return (
    <div className={styles.fee}>
      <p role="status">
        <span className="strong tabular">{sum}</span>
        <br />
        <span className="small muted tabular">{next}</span>
      </p>
      <span className={styles.feeTools}>
        {mayWaive && mayBeTaken(fee, now) && <TakeNow fee={fee} />}
        {mayWaive && (
          <Button variant="outline" onClick={() => setWaiving(true)}>
            {t('fee.waive')}
          </Button>
        )}
        <Link to={salePath(fee.visitId)} className="link">
          {t('fee.see')}
        </Link>
      </span>
      {isWaiving && <WaiveDialog fee={fee} onClose={() => setWaiving(false)} />}
    </div>
  )
}

export function FeeLine({ visit, zone }: { visit: DiaryVisit; zone: string }) {
  const mayRead = useMay('sales.read')
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.feeOf(visit._id, visit.version),
    queryFn: ({ signal }) => dashboardApi.openFees({}, { signal }),
    enabled: mayRead,
    retry: false,
  })
  const fee = data?.items.find(({ visitId }) => visitId === visit._id)
  return fee && <Line fee={fee} zone={zone} />
}
