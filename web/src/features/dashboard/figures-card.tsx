// Figures of a period: how many came, what it brought, when it is busiest, and what is done most.
import type { Figures, Period } from '@soigne/contract/dashboard'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import styles from './dashboard.module.css'

const periods = ['today', 'yesterday', 'last7days', 'thisMonth', 'lastMonth', 'allTime'] as const satisfies readonly Period[]

function Numbers({ data }: { data: Figures }) {
  const { t } = useTranslation('dashboard')
  const money = useMoney()
  const rows: [string, string][] = [
    [t('figures.visits'), String(data.visits)],
    [t('figures.done'), String(data.done)],
    ...(data.revenue ? [[t('figures.revenue'), money(data.revenue)] as [string, string]] : []),
    [t('figures.cancelled'), String(data.cancelled)],
    [t('figures.noShows'), String(data.noShows)],
  ]
  return (
    <dl className={styles.numbers}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="small muted">{name}</dt>
          <dd className={`time ${styles.number}`}>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Percent of the colour for a share of the most, 0…1. No ink is read on what lies between 50 and 66. */
const depthOf = (share: number): number => Math.round(share <= 0.5 ? share * 100 : 66 + (share - 0.5) * 68)

/** A true table: a row for each weekday, a column for each hour anybody came in. */
function HeatMap({ hours }: { hours: Figures['hours'] }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  if (hours.length === 0) return null
  const from = Math.min(...hours.map(({ hour }) => hour))
  const to = Math.max(...hours.map(({ hour }) => hour))
  const columns = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const most = Math.max(...hours.map(({ visits }) => visits))
  const visitsAt = (weekday: number, hour: number) => hours.find((one) => one.weekday === weekday && one.hour === hour)?.visits ?? 0
  return (
    <div className={styles.scroll} role="region" aria-label={t('figures.busiest')} tabIndex={0}>
      <table className={styles.heat}>
        <caption className="small muted">{t('figures.busiest')}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('figures.weekday')}</span>
            </th>
            {columns.map((hour) => (
              <th key={hour} scope="col" className="fine muted">
                <bdi>{hour}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.weekdays('short').map((name, at) => (
            <tr key={name}>
              <th scope="row" className="fine muted">
                {name}
              </th>
              {columns.map((hour) => {
                const visits = visitsAt(at + 1, hour)
                return (
                  <td
                    key={hour}
                    style={{ background: `color-mix(in oklab, var(--prune) ${depthOf(visits / most)}%, var(--sunken))` }}
                    data-strong={visits > most / 2 || undefined}
                  >
                    <bdi>{visits || ''}</bdi>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Services({ services }: { services: Figures['services'] }) {
  const { t } = useTranslation('dashboard')
  const money = useMoney()
  const most = Math.max(1, ...services.map(({ visits }) => visits))
  if (services.length === 0) return null
  return (
    <table className={styles.services}>
      <caption className="small muted">{t('figures.services')}</caption>
      <tbody>
        {services.map(({ _id, name, visits, revenue }) => (
          <tr key={_id}>
            <th scope="row">
              <span>{name}</span>
              <i aria-hidden style={{ inlineSize: `${(visits / most) * 100}%` }} />
            </th>
            <td className="tabular">
              <bdi>{visits}</bdi>
            </td>
            {revenue && (
              <td className="strong tabular">
                <bdi>{money(revenue)}</bdi>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function FiguresCard() {
  const { t } = useTranslation('dashboard')
  const [period, setPeriod] = useState<Period>('thisMonth')
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.figures(period),
    queryFn: ({ signal }) => dashboardApi.dashboardFigures({ query: { period } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={`${styles.card} ${styles.figures}`} aria-labelledby="figures">
      <div className={styles.cardHead}>
        <h2 id="figures" className="d4">
          {t('figures.title')}
        </h2>
        <Segmented
          label={t('figures.period')}
          size="small"
          className={styles.periods}
          options={periods.map((value) => ({ value, label: t(`periods.${value}`) }))}
          value={period}
          onChange={setPeriod}
        />
      </div>
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
          {data && (
            <>
              <Numbers data={data} />
              {data.visits === 0 ? <p className="muted">{t('figures.none')}</p> : null}
              <div className={styles.two}>
                <HeatMap hours={data.hours} />
                <Services services={data.services} />
              </div>
            </>
          )}
        </Loading>
      )}
    </section>
  )
}
