// `/salon/:slug/book`: open to all; what is chosen lives in the address, the booking itself needs a confirmed account.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#/platform/translation.ts'
import { data, useLoaderData, useLocation, useSearchParams, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import { CalendarFileButton } from '#/features/appointments/calendar-file-button.tsx'
import { paths, salonPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { serverContext } from '#/platform/server-context.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { BookedScreen } from '#/features/booking/booked-screen.tsx'
import { queryKeys } from '#/query-keys.ts'
import { BookingFlow } from './booking-flow.tsx'

export const handle = { namespaces: ['booking', 'cart', 'availability', 'classes', 'prices'] }

export async function loader({ context, params }: LoaderFunctionArgs) {
  try {
    const institute = await context.get(serverContext).call('institute', { params: { slug: params['slug'] ?? '' } })
    return { institute, now: Date.now() }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) throw data(null, { status: 404 })
    throw error
  }
}

/** The choice changes the address with every tap; the institute stays the same. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) {
  return currentParams['slug'] !== nextParams['slug']
}

function Booked({ id }: { id: string }) {
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
    <Loading loading={!appointment} label={t('booked.loading')} skeleton={<Skeleton height={560} radius={28} />}>
      {appointment && (
        <BookedScreen
          appointment={appointment}
          isFresh={typeof state === 'object' && state !== null && 'fresh' in state}
          calendar={<CalendarFileButton appointment={appointment} label={t('booked.calendar')} />}
        />
      )}
    </Loading>
  )
}

export default function BookingPage() {
  const { institute, now } = useLoaderData<typeof loader>()
  const { t } = useTranslation('booking')
  const [params] = useSearchParams()
  const booked = params.get('booked')
  return (
    <>
      <PageHead title={t('pageTitle', { name: institute.name })} />
      {booked !== null && <Booked id={booked} />}
      {booked === null && institute.claimed && <BookingFlow institute={institute} now={now} />}
      {booked === null && !institute.claimed && (
        <EmptyState
          as="h1"
          vignette="door"
          title={t('unclaimed.title', { name: institute.name })}
          action={<ButtonLink to={salonPath(institute.slug)}>{t('unclaimed.back')}</ButtonLink>}
        >
          {t('unclaimed.text')}
        </EmptyState>
      )}
    </>
  )
}
