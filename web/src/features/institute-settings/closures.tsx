// Days on which the institute is closed, with the visits in them, and the public holidays of its country.
import type { Closure, HitVisit } from '@soigne/contract/institute-settings'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { ClosureDialog } from './closure-dialog.tsx'
import { HitVisits } from './setting-parts.tsx'
import styles from './institute-settings.module.css'

type Closures = Answer<Calls['closures']>

/** Closing and opening again, and what each hit. */
function useClosing() {
  const queries = useQueryClient()
  const [hits, setHits] = useState<readonly HitVisit[]>([])
  const settled = () => queries.invalidateQueries({ queryKey: dashboardKeys.all })
  const onError = (error: unknown) => showToast({ type: 'error', title: failureText(error) })
  const closing = useMutation({
    mutationFn: (day: string) => dashboardApi.close({ body: { fromDay: day, isHoliday: true } }),
    onSuccess: (answer) => setHits(answer.hits),
    onError,
    onSettled: settled,
  })
  const reopening = useMutation({
    mutationFn: ({ id, day }: { id: string; day?: string }) =>
      dashboardApi.reopen({ params: { id }, query: day === undefined ? {} : { day } }),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError,
    onSettled: settled,
  })
  return {
    hits,
    setHits,
    closeHoliday: closing.mutate,
    reopen: reopening.mutate,
    settled,
    isBusy: closing.isPending || reopening.isPending,
  }
}

function ClosureRow({ closure, timeZone, onReopen }: { closure: Closure; timeZone: string; onReopen: () => void }) {
  const { t } = useTranslation('institute-settings')
  const times = useTimes()
  const { fromDay, toDay, part, reason, visits, isBookable } = closure
  const { date, month } = times.dateAndMonth(fromDay)
  const hours = part && t('closures.part', { from: part.opensAt, to: part.closesAt })
  const until =
    toDay === fromDay ? times.day(fromDay, timeZone, 'full') : t('closures.until', { date: times.day(toDay, timeZone, 'within') })
  return (
    <li className={styles.closure}>
      <span className={styles.date} aria-hidden>
        <bdi className="time">{date}</bdi>
        <span className="fine muted">{month}</span>
      </span>
      <div className={styles.settingWords}>
        <p className="strong">{reason ?? t('closures.noReason')}</p>
        <p className="small muted">
          {until}, {hours ?? t('closures.allDay')}
        </p>
      </div>
      {visits > 0 ? (
        <StatusChip status="pending" icon="warning" label={t('closures.visits', { count: visits })} />
      ) : (
        <StatusChip status="neutral" label={isBookable ? t('closures.nothingHit') : t('closures.notBookable')} />
      )}
      <IconButton icon="trash" label={t('closures.remove', { what: reason ?? until })} onClick={onReopen} />
    </li>
  )
}

function Holidays({ data, timeZone, closing }: { data: Closures; timeZone: string; closing: ReturnType<typeof useClosing> }) {
  const { t } = useTranslation('institute-settings')
  const times = useTimes()
  const { country, countryName, region, items } = data.holidays
  if (items.length === 0) return null
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('holidays.title', { country: countryName })}</h2>
      <p className="small muted">{region && country === 'FR' && /^\d/.test(region) ? t('holidays.alsace') : t('holidays.text')}</p>
      <ul className={styles.holidays}>
        {items.map(({ day, name: holiday, closureId, isOpenDay }) => (
          <li key={day} className={styles.setting}>
            <div className={styles.settingWords}>
              <p className="strong">{holiday}</p>
              <p className="small muted">
                {times.day(day, timeZone, 'full')}
                {!isOpenDay && ` · ${t('holidays.notOpen')}`}
              </p>
            </div>
            <Switch
              label={closureId ? t('holidays.closed') : t('holidays.open')}
              aria-label={t('holidays.close', { day: holiday })}
              checked={closureId !== null}
              disabled={closing.isBusy}
              onChange={() => (closureId ? closing.reopen({ id: closureId, day }) : closing.closeHoliday(day))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ClosureList({ data, timeZone }: { data: Closures; timeZone: string }) {
  const { t } = useTranslation('institute-settings')
  const closing = useClosing()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <section className={styles.section}>
        <div className={styles.head}>
          <h2 className="d4">{t('closures.title')}</h2>
          <Button variant="soft" size="small" icon="plus" onClick={() => setAdding(true)}>
            {t('closures.add')}
          </Button>
        </div>
        {closing.hits.length > 0 && (
          <HitVisits title={t('closures.hit', { count: closing.hits.length })} visits={closing.hits} timeZone={timeZone}>
            {t('closures.hitText')}
          </HitVisits>
        )}
        {data.items.length === 0 && <p className="muted">{t('closures.none')}</p>}
        <ul>
          {data.items.map((closure) => (
            <ClosureRow key={closure._id} closure={closure} timeZone={timeZone} onReopen={() => closing.reopen({ id: closure._id })} />
          ))}
        </ul>
      </section>
      <Holidays data={data} timeZone={timeZone} closing={closing} />
      {isAdding && (
        <ClosureDialog
          timeZone={timeZone}
          onClose={() => setAdding(false)}
          onClosed={(hits) => {
            setAdding(false)
            closing.setHits(hits)
            void closing.settled()
          }}
        />
      )}
    </>
  )
}

export function Closures({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('institute-settings')
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.institute.closures,
    queryFn: ({ signal }) => dashboardApi.closures({}, { signal }),
  })
  if (error && !data)
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
      {data && <ClosureList data={data} timeZone={timeZone} />}
    </Loading>
  )
}
