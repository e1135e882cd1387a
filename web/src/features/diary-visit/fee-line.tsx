// In the open visit of somebody who did not come: what is due of it, what is held and what is charged or stays open, and waiving it. For who may read sales.
import type { OpenFee } from '@soigne/contract/fees'
import type { DiaryVisit } from '@soigne/contract/diary'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
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

function Line({ fee, zone }: { fee: OpenFee; zone: string }) {
  const { t } = useTranslation('sales')
  const { sum, next } = useSentences(fee, zone)
  const mayWaive = useMay('sales.refund')
  const [isWaiving, setWaiving] = useState(false)
  return (
    <div className={styles.fee}>
      <p role="status">
        <span className="strong tabular">{sum}</span>
        <br />
        <span className="small muted tabular">{next}</span>
      </p>
      <span className={styles.feeTools}>
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
