// Fees that are not settled: those that will be charged, and those that could not be. Each leads to its sale, where it can be waived.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import styles from './sales.module.css'

export function OpenFees({ zone }: { zone: string }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.fees,
    queryFn: ({ signal }) => dashboardApi.openFees({}, { signal }),
    retry: false,
  })
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles.fees} aria-labelledby="fees">
      <h2 id="fees" className="d4">
        {t('fee.open')}
      </h2>
      <ul>
        {data.items.map(({ _id, visitId, client, kind, amount, state, dueAt }) => (
          <li key={_id}>
            <Link to={salePath(visitId)} className={styles.fee}>
              <span>
                <span className="strong">{t('fee.line', { client: client || t('walkIn'), kind: t(`fee.kinds.${kind}`) })}</span>
                <span className="small muted">
                  {t(`fee.states.${state}`, { when: t('moment', { day: times.dayOfInstant(dueAt, zone), time: times.time(dueAt, zone) }) })}
                </span>
              </span>
              <bdi className="strong tabular">{money(amount, true)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
