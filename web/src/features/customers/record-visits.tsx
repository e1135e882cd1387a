// What somebody came for, the latest first.
import type { Customer, CustomerVisit } from '@soigne/contract/customers'
import { useInfiniteQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { useWhen } from './use-when.ts'
import styles from './record.module.css'

const pageSize = 10

function VisitRow({ visit, customer }: { visit: CustomerVisit; customer: Customer }) {
  const { t } = useTranslation('customers')
  const { t: label } = useTranslation('labels')
  const when = useWhen()
  const money = useMoney()
  const isOff = visit.status === 'cancelled' || visit.attendance === 'no_show'
  return (
    <li className={styles.visit} data-off={isOff || undefined}>
      <p className="small muted">{when.day(visit.startsAt, customer)}</p>
      <div className={styles.what}>
        <p>{visit.services.join(', ')}</p>
        <p className="small muted">
          {t('visits.with', { time: when.time(visit.startsAt, customer.timeZone), names: visit.staff.join(', ') })}
        </p>
      </div>
      {visit.attendance === 'no_show' && visit.status !== 'cancelled' ? (
        <StatusChip status="cancelled" label={t('visits.noShow')} />
      ) : (
        <StatusChip status={visit.status} label={label(`statuses.${visit.status}`)} />
      )}
      <bdi className={`strong tabular ${styles.price}`}>{money(visit.total)}</bdi>
    </li>
  )
}

export function RecordVisits({ customer }: { customer: Customer }) {
  const { t } = useTranslation('customers')
  const { data, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: dashboardKeys.customers.visits(customer._id),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      dashboardApi.customerVisits({ params: { id: customer._id }, query: { page: pageParam, pageSize } }, { signal }),
    getNextPageParam: (last) => (last.page * last.pageSize < last.total ? last.page + 1 : undefined),
  })
  const visits = data?.pages.flatMap(({ items }) => items) ?? []
  if (isPending) return <RowSkeleton />
  if (visits.length === 0) return <p className="muted">{t('visits.none')}</p>
  return (
    <>
      <ul>
        {visits.map((visit) => (
          <VisitRow key={visit._id} visit={visit} customer={customer} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="text" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('visits.more')}
        </Button>
      )}
    </>
  )
}
