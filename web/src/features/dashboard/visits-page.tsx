// My Salon: the next visits of the institute, soonest first.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { minuteMs } from '@soigne/contract/time'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#/platform/translation.ts'
import { useSearchParams } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { dayOf, daysBetween, useTimes } from '#/platform/time.ts'
import { paths, salonPath } from '#/paths.ts'
import { queryKeys } from '#/query-keys.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Pagination, pageSizes } from '#/ui/pagination.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { VisitRow } from './visit-row.tsx'
import styles from './visits-page.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'labels', 'prices'] }

export type Visits = Answer<Calls['instituteVisits']>
export type Visit = Visits['items'][number]

function usePlace() {
  const [query] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
  const size = Number(query.get('pageSize'))
  return { page, pageSize: pageSizes.find((one) => one === size) ?? pageSizes[0] }
}

/** Visits of one calendar day on the institute's wall calendar. */
function byDay(visits: readonly Visit[]): [day: string, visits: Visit[]][] {
  const days = new Map<string, Visit[]>()
  for (const visit of visits) {
    const day = dayOf(visit.startsAt, visit.timeZone)
    days.set(day, [...(days.get(day) ?? []), visit])
  }
  return [...days]
}

/** Today and Tomorrow with their date; any other day is its date. */
function useDayHeading() {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  return (day: string, timeZone: string) => {
    const date = times.day(day, timeZone, 'full')
    const ahead = daysBetween(dayOf(Date.now(), timeZone), day)
    if (ahead === 0) return t('todayDate', { date })
    return ahead === 1 ? t('tomorrowDate', { date }) : date
  }
}

function VisitList({ visits }: { visits: Visits }) {
  const { t } = useTranslation('dashboard')
  const heading = useDayHeading()
  const hrefFor = ({ page, pageSize }: { page: number; pageSize: number }) =>
    `${paths.mySalon}?${new URLSearchParams({ page: String(page), pageSize: String(pageSize) })}`
  const labels = {
    navigation: t('pages.label'),
    previous: t('pages.previous'),
    next: t('pages.next'),
    pageSize: t('pages.size'),
    range: (from: number, to: number, total: number) => t('pages.range', { from, to, total }),
  }
  return (
    <>
      {byDay(visits.items).map(([day, ofDay]) => (
        <section key={day} className={styles.day}>
          <h2 className="d4">{heading(day, ofDay[0]?.timeZone ?? 'UTC')}</h2>
          <ul>
            {ofDay.map((visit) => (
              <VisitRow key={visit._id} visit={visit} />
            ))}
          </ul>
        </section>
      ))}
      {visits.total > pageSizes[0] && (
        <Pagination page={visits.page} pageSize={visits.pageSize} total={visits.total} hrefFor={hrefFor} labels={labels} />
      )}
    </>
  )
}

function NextVisits() {
  const { t } = useTranslation('dashboard')
  const place = usePlace()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.instituteVisits(place),
    queryFn: ({ signal }) => api.instituteVisits({ query: place }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: minuteMs,
  })
  if (error && !data) {
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  }
  const skeleton = (
    <>
      <RowSkeleton />
      <RowSkeleton />
      <RowSkeleton />
    </>
  )
  return (
    <Loading loading={isPending} label={t('loading')} skeleton={skeleton}>
      {data && data.items.length > 0 ? (
        <VisitList visits={data} />
      ) : (
        <EmptyState vignette="chair" title={t('none.title')}>
          {t('none.text')}
        </EmptyState>
      )}
    </Loading>
  )
}

function NoInstitute() {
  const { t } = useTranslation('dashboard')
  return (
    <EmptyState vignette="door" title={t('noInstitute.title')} action={<ButtonLink to={paths.setup}>{t('noInstitute.action')}</ButtonLink>}>
      {t('noInstitute.text')}
    </EmptyState>
  )
}

export default function VisitsPage() {
  const { t } = useTranslation('dashboard')
  const user = useUser()
  const institute = user?.institute
  return (
    <div className={`page ${styles.place}`}>
      <PageHead title={t('head')} />
      <div className={styles.heading}>
        <div>
          <h1 className="d2">{institute?.name ?? t('head')}</h1>
          {institute && <p className="lede">{t('text')}</p>}
        </div>
        {institute && (
          <ButtonLink to={salonPath(institute.slug)} variant="outline" icon="eye">
            {t('view')}
          </ButtonLink>
        )}
      </div>
      {institute ? <NextVisits /> : <NoInstitute />}
    </div>
  )
}
