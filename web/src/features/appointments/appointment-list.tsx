// The visits of the signed-in person.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#/platform/translation.ts'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { queryKeys } from '#/query-keys.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Pagination, pageSizes } from '#/ui/pagination.tsx'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { Loading } from '#/ui/skeleton.tsx'
import { askedOf, listParts, listPath, type ListPart, type ListPlace, readListPlace } from './list-place.ts'
import { NextVisit } from './next-visit.tsx'
import { AsOf } from './visit-status.tsx'
import { VisitRow, VisitsSkeleton } from './visit-row.tsx'
import type { Appointment } from '@soigne/contract/appointments'
import type { ReactNode } from 'react'
import styles from './visits.module.css'

function Nothing({ when }: { when: ListPart }) {
  const { t } = useTranslation('appointments')
  return (
    <EmptyState vignette="chair" title={t(`empty.${when}`)} action={<ButtonLink to={paths.institutes}>{t('empty.find')}</ButtonLink>}>
      {t(`empty.${when}Hint`)}
    </EmptyState>
  )
}

function Visits({ place, items }: { place: ListPlace; items: readonly Appointment[] }) {
  const { t } = useTranslation('appointments')
  const [first] = items
  const leads = place.when === 'upcoming' && place.page === 1 && first !== undefined
  const rest = leads ? items.slice(1) : items
  return (
    <>
      {leads && <NextVisit visit={first} />}
      {rest.length > 0 && (
        <>
          <h2 className={`d4 ${styles.heading}`}>{t(leads ? 'then' : place.when)}</h2>
          <ul className={styles.rows}>
            {rest.map((visit) => (
              <VisitRow key={visit._id} visit={visit} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

type Around = {
  /** Below the visits, once those are there: nothing below them jumps. */
  children?: ReactNode
  /** Above the visits, such as what will not wait. */
  before?: ReactNode
  /** False until it is known what stands above. */
  isReady?: boolean
}

function VisitList({ place, children, before, isReady = true }: Around & { place: ListPlace }) {
  const { t } = useTranslation('appointments')
  const { when, page, pageSize } = place
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.appointments.list({ when, page, pageSize }),
    queryFn: ({ signal }) => api.appointments({ query: { ...askedOf[when], page, pageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  }
  // The last one of the last page was cancelled, or an address was kept for long.
  if (data && data.items.length === 0 && data.total > 0)
    return <Navigate to={listPath(place, { page: Math.ceil(data.total / pageSize) })} replace />
  return (
    <Loading loading={!data || !isReady} label={t('loading')} skeleton={<VisitsSkeleton />}>
      {before}
      {data && data.items.length === 0 && <Nothing when={place.when} />}
      {data && data.items.length > 0 && <Visits place={place} items={data.items} />}
      {data && data.total > pageSizes[0] && (
        <div className={styles.pages}>
          <Pagination
            page={page}
            pageSize={pageSize}
            total={data.total}
            hrefFor={(target) => listPath(place, target)}
            labels={{
              navigation: t('pages.navigation'),
              previous: t('pages.previous'),
              next: t('pages.next'),
              pageSize: t('pages.size'),
              range: (from, to, total) => t('pages.range', { from, to, total }),
            }}
          />
        </div>
      )}
      {data && children}
    </Loading>
  )
}

export function AppointmentList(around: Around) {
  const { t } = useTranslation('appointments')
  const [params] = useSearchParams()
  const place = readListPlace(params)
  return (
    <div className={`page ${styles.list}`}>
      <PageHead title={t('title')} />
      <div className={styles.head}>
        <h1 className="d2">{t('title')}</h1>
        <SegmentedLinks
          label={t('filter.when')}
          items={listParts.map((when) => ({
            to: listPath(place, { when }),
            label: t(when),
            current: place.when === when,
          }))}
        />
      </div>
      <AsOf />
      <VisitList place={place} {...around} />
    </div>
  )
}
