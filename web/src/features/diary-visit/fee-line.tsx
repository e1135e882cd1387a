// In the open visit of somebody who did not come: the fee that is due, and the way to waive it. For who may read sales.
import type { DiaryVisit } from '@soigne/contract/diary'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useMay } from '#/use-may.ts'
import styles from './visit.module.css'

export function FeeLine({ visit, zone }: { visit: DiaryVisit; zone: string }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const mayRead = useMay('sales.read')
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.feeOf(visit._id, visit.version),
    queryFn: ({ signal }) => dashboardApi.openFees({}, { signal }),
    enabled: mayRead,
    retry: false,
  })
  const fee = data?.items.find(({ visitId }) => visitId === visit._id)
  if (!fee) return null
  const when = t('moment', { day: times.dayOfInstant(fee.dueAt, zone), time: times.time(fee.dueAt, zone) })
  return (
    <p role="status" className={styles.fee}>
      <span>
        <span className="strong">{t('fee.title')}</span> <bdi className="strong tabular">{money(fee.amount, true)}</bdi>
        <br />
        <span className="small muted">{t(`fee.states.${fee.state}`, { when })}</span>
      </span>
      <Link to={salePath(visit._id)} className="link">
        {t('fee.see')}
      </Link>
    </p>
  )
}
