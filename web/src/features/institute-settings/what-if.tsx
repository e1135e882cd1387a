// What the last eight weeks would have been under what somebody is changing, before it is stored.
import type { Calls } from '@soigne/contract/calls'
import type { Input } from '@soigne/contract/define'
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { minuteMs } from '@soigne/contract/time'
import type { Turned, WhatIf } from '@soigne/contract/what-if'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import styles from './what-if.module.css'

type Asked = NonNullable<Input<Calls['whatIf']>['body']>

/** Somebody who goes through the choices asks once, when they stop. */
const settledMs = 400

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type TurnedCardProps = { title: string; of: string; why: string; turned: Turned; timeZone: string }

function TurnedCard({ title, of, why, turned, timeZone }: TurnedCardProps) {
  const { t } = useTranslation('institute-settings')
  const times = useTimes()
  return (
    <section className={styles.card} aria-label={title}>
      <h3 className="small strong">{title}</h3>
      <p className={styles.figure}>
        <bdi className="d2 tabular">{turned.count}</bdi> <span className="small muted">{of}</span>
      </p>
      {turned.count > 0 && (
        <>
          <p className="fine muted">{why}</p>
          <ul className={styles.reasons}>
            {turned.reasons.map(({ reason, count }) => (
              <li key={reason} className="small">
                <span>{t(`whatIf.reasons.${reason}`)}</span> <bdi className="strong tabular">{count}</bdi>
              </li>
            ))}
          </ul>
          <p className="fine muted">{t('whatIf.examples')}</p>
          <ul className={styles.examples}>
            {turned.examples.map(({ startsAt, askedAt, services }) => (
              <li key={`${startsAt} ${askedAt}`} className="small">
                <bdi className="strong tabular">
                  {times.dayOfInstant(startsAt, timeZone)} {times.time(startsAt, timeZone)}
                </bdi>{' '}
                {services.join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Reckoning({ bookings, searches }: WhatIf) {
  const { t } = useTranslation('institute-settings')
  return (
    <details className={styles.how}>
      <summary className="small">{t('whatIf.how')}</summary>
      {(['estimate', 'ofBookings', 'ofSearches', 'leftOut'] as const).map((key) => (
        <p key={key} className="small muted">
          {t(`whatIf.${key}`)}
        </p>
      ))}
      {bookings.replayed < bookings.total && (
        <p className="small muted">{t('whatIf.sampleBookings', { some: bookings.replayed, all: bookings.total })}</p>
      )}
      {searches.replayed < searches.total && (
        <p className="small muted">{t('whatIf.sampleSearches', { some: searches.replayed, all: searches.total })}</p>
      )}
    </details>
  )
}

function Outcome({ data }: { data: WhatIf }) {
  const { t } = useTranslation('institute-settings')
  const { bookings, searches, timeZone } = data
  const cards = [
    {
      title: t('whatIf.bookingsLost'),
      of: t('whatIf.bookings', { count: bookings.counted }),
      why: t('whatIf.lostTo'),
      turned: bookings.lost,
    },
    {
      title: t('whatIf.searchesWon'),
      of: t('whatIf.foundNothing', { count: searches.foundNothing }),
      why: t('whatIf.wonFrom'),
      turned: searches.won,
    },
    {
      title: t('whatIf.searchesLost'),
      of: t('whatIf.foundSome', { count: searches.counted - searches.foundNothing }),
      why: t('whatIf.lostTo'),
      turned: searches.lost,
    },
  ]
  return (
    <div role="status" className={styles.outcome}>
      <div className={styles.cards}>
        {cards.map((card) => (
          <TurnedCard key={card.title} {...card} timeZone={timeZone} />
        ))}
      </div>
      {searches.areFew && <Notice title={t('whatIf.few')}>{t('whatIf.fewText', { count: searches.counted })}</Notice>}
      <Reckoning {...data} />
    </div>
  )
}

const ofBooking = ['gridMinutes', 'noticeMinutes', 'horizonDays', 'maxWaitMinutes', 'gapPolicy', 'serviceOrder'] as const

/** What there is to replay of changed rules; null where none of them decides what can be booked. */
export const changedRules = (before: InstituteSettings['rules'], rules: InstituteSettings['rules']): Asked | null =>
  ofBooking.some((name) => before[name] !== rules[name]) ? { rules } : null

/** `asked` is what would be stored; null where nothing is changed. */
export function WhatIfPanel({ asked }: { asked: Asked | null }) {
  const { t } = useTranslation('institute-settings')
  const settled = useSettled(asked)
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.institute.whatIf(settled),
    queryFn: ({ signal }) => dashboardApi.whatIf({ body: settled ?? {} }, { signal }),
    enabled: settled !== null,
    staleTime: minuteMs,
  })
  const isChanged = asked !== null && settled !== null
  return (
    <section className={styles.panel} aria-labelledby="what-if">
      <h2 className="d4" id="what-if">
        {t('whatIf.title')}
      </h2>
      <p className="small muted">{t('whatIf.intro')}</p>
      {isChanged && error && !data && (
        <ErrorState title={t('whatIf.failed')} retryLabel={t('whatIf.retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      )}
      {isChanged && (data !== undefined || !error) && (
        <Loading loading={!data} label={t('whatIf.working')} skeleton={<RowSkeleton />}>
          {data && <Outcome data={data} />}
        </Loading>
      )}
    </section>
  )
}
