// What was booked, once it is; whoever chooses a time does not wait for it.
import type { Institute } from '@soigne/contract/institutes'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { CalendarFileButton } from '#/features/appointments/calendar-file-button.tsx'
import { BookedScreen } from '#/features/booking/booked-screen.tsx'
import { useWhenInside } from '#/features/booking/terms-line.tsx'
import { afterwards, type Afterwards } from '#/features/cart/needs.ts'
import { PaidLines } from '#/features/payments/paid-lines.tsx'
import { Returned } from '#/features/payments/returned.tsx'
import { bookingPath, paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { inLine } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading } from '#/ui/skeleton.tsx'
import { BookedSkeleton } from './booked-skeleton.tsx'

/** `id`: of the visit, or of the hold whose payment somebody comes back from. */
export function Booked({ id, institute }: { id: string; institute: Institute }) {
  const [params] = useSearchParams()
  return params.has('booked') ? <BookedVisit id={id} institute={institute} /> : <Returned slug={institute.slug} holdId={id} />
}

/** Back to what asked for this visit first. */
function Onward({ institute, wanted }: { institute: Institute; wanted: Afterwards | null }) {
  const { t, i18n } = useTranslation('booking')
  const when = useWhenInside()
  if (!wanted) return null
  const { services, from, params } = wanted
  const service = inLine(
    services.map(({ name }) => name),
    i18n.language,
  )
  return (
    <Notice
      tone="kind"
      title={t('needs.from', { service, when: when(from, institute.timeZone) })}
      action={<ButtonLink to={bookingPath(institute.slug, params)}>{t('needs.onward', { service })}</ButtonLink>}
    />
  )
}

function BookedVisit({ id, institute }: { id: string; institute: Institute }) {
  const { t } = useTranslation('booking')
  const [params] = useSearchParams()
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
          onward={<Onward institute={institute} wanted={afterwards(institute, params.get('next'), appointment)} />}
          calendar={<CalendarFileButton appointment={appointment} label={t('booked.calendar')} />}
        />
      )}
    </Loading>
  )
}
