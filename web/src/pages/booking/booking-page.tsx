// `/salon/:slug/book`: open to all; what is chosen lives in the address, the booking itself needs a confirmed account.
import { Suspense } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { data, useLoaderData, useSearchParams, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import { salonPath } from '#/paths.ts'
import { ApiError } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { serverContext } from '#/platform/server-context.ts'
import { lazily } from '#/ui/lazily.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { BookedSkeleton } from './booked-skeleton.tsx'
import { BookingFlow } from './booking-flow.tsx'

export const handle = { namespaces: ['booking', 'cart', 'availability', 'classes', 'prices', 'at-home'] }

export async function loader({ context, params }: LoaderFunctionArgs) {
  try {
    const server = context.get(serverContext)
    const institute = await server.call('institute', { params: { slug: params['slug'] ?? '' } })
    return { institute, now: server.now }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) throw data(null, { status: 404 })
    throw error
  }
}

/** The choice changes the address with every tap; the institute stays the same. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) {
  return currentParams['slug'] !== nextParams['slug']
}

const Booked = lazily(async () => (await import('./booked.tsx')).Booked)

export default function BookingPage() {
  const { institute, now } = useLoaderData<typeof loader>()
  const { t } = useTranslation('booking')
  const [params] = useSearchParams()
  const booked = params.get('booked') ?? params.get('hold')
  return (
    <>
      <PageHead title={t('pageTitle', { name: institute.name })} />
      {booked !== null && (
        <Suspense fallback={<BookedSkeleton />}>
          <Booked id={booked} institute={institute} />
        </Suspense>
      )}
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
