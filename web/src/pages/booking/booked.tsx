// What was booked, once it is; whoever chooses a time does not wait for it.
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { CalendarFileButton } from '#/features/appointments/calendar-file-button.tsx'
import { BookedScreen } from '#/features/booking/booked-screen.tsx'
import { PaidLines } from '#/features/payments/paid-lines.tsx'
import { Returned } from '#/features/payments/returned.tsx'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading } from '#/ui/skeleton.tsx'
import { BookedSkeleton } from './booked-skeleton.tsx'

/** `id`: of the visit, or of the hold whose payment somebody comes back from. */
export function Booked({ id, slug }: { id: string; slug: string }) {
  const [params] = useSearchParams()
  return params.has('booked') ? <BookedVisit id={id} /> : <Returned slug={slug} holdId={id} />
}

function BookedVisit({ id }: { id: string }) {
  const { t } = useTranslation('booking')
  const { state }: { state: unknown } = useLocation()
  const {
    data: appointment,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.appointment(id),
    queryFn: ({ signal }) => api.appointment({ params: { id } }, { signal }),
  })
  if (error && !appointment) {
    return (
      <ErrorState
        as="h1"
        title={t('booked.failed')}
        retryLabel={t('retry')}
        onRetry={() => void refetch()}
        action={<ButtonLink to={paths.appointments}>{t('booked.list')}</ButtonLink>}
      >
        {failureText(error)}
      </ErrorState>
    )
  }
  return (
    <Loading loading={!appointment} label={t('booked.loading')} skeleton={<BookedSkeleton />}>
      {appointment && (
        <BookedScreen
          appointment={appointment}
          isFresh={typeof state === 'object' && state !== null && 'fresh' in state}
          renderPaid={(className) => <PaidLines appointment={appointment} className={className} />}
          calendar={<CalendarFileButton appointment={appointment} label={t('booked.calendar')} />}
        />
      )}
    </Loading>
  )
}
