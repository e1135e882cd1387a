// What the week has brought so far beside the week before until the same hour, and the days that led to it.
import type { Dashboard } from '@soigne/contract/dashboard'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './dashboard.module.css'

type Revenue = NonNullable<Dashboard['revenue']>

const width = 400
const height = 110

function Area({ days }: { days: Revenue['days'] }) {
  const most = Math.max(1, ...days.map(({ amount }) => amount))
  const points = days.map(({ amount }, at): [number, number] => [
    (at / (days.length - 1)) * width,
    height - 6 - (amount / most) * (height - 16),
  ])
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  return (
    <svg className={styles.area} viewBox={`-6 0 ${width + 12} ${height}`} preserveAspectRatio="none" aria-hidden>
      <polygon points={`0,${height} ${line} ${width},${height}`} className={styles.areaFill} />
      <polyline points={line} className={styles.areaLine} />
      <circle cx={lastX} cy={lastY} r={5} className={styles.areaDot} />
    </svg>
  )
}

function DayTable({ revenue, timeZone }: { revenue: Revenue; timeZone: string }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const money = useMoney()
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('revenue.table')}</caption>
        <tbody>
          {revenue.days.map(({ day, amount }) => (
            <tr key={day}>
              <th scope="row">{times.day(day, timeZone, 'full')}</th>
              <td>{money({ amount, currency: revenue.week.currency })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How much more or less than before, in whole percent; nothing to compare with is null. */
export function changeInPercent(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100)
}

export function RevenueCard({ revenue, timeZone }: { revenue: Revenue; timeZone: string }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const money = useMoney()
  const { week, weekBefore, days } = revenue
  const change = changeInPercent(week.amount, weekBefore.amount)
  const first = days[0]?.day
  return (
    <section className={styles.card} aria-labelledby="revenue">
      <div className={styles.cardHead}>
        <div>
          <h2 id="revenue" className="small muted">
            {t('revenue.title')}
          </h2>
          <bdi className={`time ${styles.sum}`}>{money(week)}</bdi>
        </div>
        {change !== null && (
          <StatusChip
            status={change >= 0 ? 'available' : 'pending'}
            icon={change >= 0 ? 'plus' : 'minus'}
            label={t(change >= 0 ? 'revenue.up' : 'revenue.down', { percent: Math.abs(change) })}
          />
        )}
      </div>
      <Area days={days} />
      <DayTable revenue={revenue} timeZone={timeZone} />
      <p className={`fine muted ${styles.ends}`}>
        <span>{first && times.day(first, timeZone, 'short')}</span>
        <span>{t('today.title')}</span>
      </p>
      <p className="fine muted">{t('revenue.before', { amount: money(weekBefore) })}</p>
      <p className="fine muted">{t('revenue.means')}</p>
    </section>
  )
}
