// `/salon/:slug`: one institute, open to all. The cart is kept in the address (`service`), the chosen time beside it (`at`).
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Institute } from '@soigne/contract/institutes'
import { lazy, Suspense, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { data, useLoaderData, useNavigate, useSearchParams, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import { BottomBar } from '#/ui/bottom-bar.tsx'
import { choiceParams, readChoice, toggleService, type Choice, type Wish } from '#/features/booking/choice.ts'
import { PlanLines, useTotalText } from '#/features/booking/plan-lines.tsx'
import { planVisit } from '#/features/booking/visit-plan.ts'
import { bookingPath, salonPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { ApiError } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { usePageSettings } from '#/platform/page-settings.ts'
import { serverContext } from '#/platform/server-context.ts'
import { useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { BookingPanel } from './booking-panel.tsx'
import { Gallery } from './gallery.tsx'
import { Grades } from './grades.tsx'
import { HoursAndPlace } from './hours-and-place.tsx'
import { defaultService } from './institute-facts.ts'
import { PartsNav } from './parts-nav.tsx'
import { InstituteHeading } from './institute-heading.tsx'
import { ServiceMenu } from './service-menu.tsx'
import { scriptJson, structuredData } from './structured-data.ts'
import { Team } from './team.tsx'
import { UnclaimedNote } from './unclaimed-note.tsx'
import { WhenNear } from '#/ui/when-near.tsx'
import styles from './institute.module.css'

const InstituteMap = lazy(async () => ({ default: (await import('#/map/institute-map.tsx')).InstituteMap }))

export const handle = { namespaces: ['institute', 'booking', 'labels', 'map'] }

const shownTimes = 3

/** The services times are shown for: the cart, else the shortest service. */
function askedServices(institute: Institute, wishes: readonly Wish[]): string[] {
  if (wishes.length > 0) return wishes.map(({ serviceId }) => serviceId)
  const service = defaultService(institute)
  return service ? [service._id] : []
}

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const server = context.get(serverContext)
  try {
    const institute = await server.call('institute', { params: { slug: params['slug'] ?? '' } })
    const service = askedServices(institute, readChoice(new URL(request.url).searchParams, institute).wishes)
    const next =
      service.length === 0 ? null : await server.call('nextTimes', { params: { id: institute._id }, query: { service, limit: shownTimes } })
    return { institute, next: next?.times ?? [], service, now: Date.now() }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) throw data(null, { status: 404 })
    throw error
  }
}

/** The cart changes the address with every tap; its times are asked for by themselves. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) {
  return currentParams['slug'] !== nextParams['slug']
}

function useNextTimes(wishes: readonly Wish[]) {
  const { institute, next, service: loaded, now } = useLoaderData<typeof loader>()
  const service = askedServices(institute, wishes)
  const isLoaded = service.join() === loaded.join()
  const {
    data: times,
    isPlaceholderData,
    isFetching,
  } = useQuery({
    queryKey: ['availability', institute._id, 'panel', service],
    queryFn: async ({ signal }) =>
      (await api.nextTimes({ params: { id: institute._id }, query: { service, limit: shownTimes } }, { signal })).times,
    enabled: service.length > 0,
    placeholderData: keepPreviousData,
    ...(isLoaded && { initialData: next, initialDataUpdatedAt: now }),
  })
  return { times: times ?? [], isPending: isPlaceholderData && isFetching }
}

function cartPath(institute: Institute, choice: Choice): string {
  const query = choiceParams(choice).toString()
  return query ? `${salonPath(institute.slug)}?${query}` : salonPath(institute.slug)
}

/** What is chosen, its next times, and where each tap leads. */
function useCart(institute: Institute) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const choice = { ...readChoice(params, institute), staffAnswered: false, day: null }
  const { times, isPending } = useNextTimes(choice.wishes)
  const hasCart = choice.wishes.length > 0
  const suggestion = hasCart ? null : defaultService(institute)
  const selected =
    (times.find(({ startsAt }) => choice.at !== null && Date.parse(startsAt) === Date.parse(choice.at)) ?? times[0])?.startsAt ?? null
  const suggested: Choice = suggestion ? { ...choice, wishes: [{ serviceId: suggestion._id, staffId: null }] } : choice
  return {
    choice,
    times,
    isPending,
    hasCart,
    suggestion,
    selected: hasCart ? selected : null,
    togglePath: (serviceId: string) => cartPath(institute, toggleService(choice, serviceId)),
    /** In a cart a time is chosen; before that it starts a booking of the service it is for. */
    timePath: (at: string) =>
      hasCart ? cartPath(institute, { ...choice, at }) : bookingPath(institute.slug, choiceParams(suggested, { at })),
    chooseTime(event: MouseEvent<HTMLElement>, at: string) {
      if (!hasCart || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      void navigate(cartPath(institute, { ...choice, at }), { replace: true, preventScrollReset: true })
    },
    allTimesPath: bookingPath(institute.slug, choiceParams(suggested, { at: null, staffAnswered: true, step: 'time' })),
    bookPath: hasCart
      ? bookingPath(
          institute.slug,
          selected === null
            ? choiceParams(choice, { at: null, staffAnswered: true, step: 'time' })
            : choiceParams(choice, { at: selected }),
        )
      : bookingPath(institute.slug),
  }
}

function useDescription(institute: Institute): string {
  const { t } = useTranslation(['institute', 'labels'])
  const { name, address, categories } = institute
  const what = categories
    .slice(0, 2)
    .map((category) => t(`labels:categories.${category}`))
    .join(', ')
  return t(institute.claimed ? 'institute:metaDescription' : 'institute:metaDescriptionListed', {
    name,
    what,
    place: [address.quarter, address.city].filter(Boolean).join(', '),
  })
}

function PlaceMap({ institute }: { institute: Institute }) {
  const { _id, name, location, address } = institute
  return (
    <WhenNear>
      <Suspense>
        <InstituteMap
          fixed
          label={name}
          pins={[{ id: _id, point: location, text: name, label: name, tone: 'soon', quarter: address.quarter, city: address.city }]}
          selected={_id}
        />
      </Suspense>
    </WhenNear>
  )
}

export default function SalonPage() {
  const { institute, now } = useLoaderData<typeof loader>()
  const { t } = useTranslation('institute')
  const times = useTimes()
  const total = useTotalText()
  const { publicUrl } = usePageSettings()
  const cart = useCart(institute)
  const plan = planVisit(institute, cart.choice.wishes)
  const description = useDescription(institute)
  const [first] = cart.times
  const { timeZone } = institute
  const when = (at: string) => t('panel.dayAtTime', { day: times.dayOfInstant(at, timeZone, 'short', now), time: times.time(at, timeZone) })
  return (
    <>
      <PageHead
        title={t('pageTitle', { name: institute.name, city: institute.address.city })}
        description={description}
        path={salonPath(institute.slug)}
        image={`/og/${institute.slug}.png`}
        kind="business.business"
      />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptJson(structuredData(institute, publicUrl)) }} />
      <div className={`page ${styles.page}`}>
        <Gallery institute={institute} />
        <InstituteHeading institute={institute} now={now} />
        <div className={institute.claimed ? `two-panes ${styles.panes}` : styles.panes}>
          <div>
            <PartsNav institute={institute} />
            {!institute.claimed && <UnclaimedNote institute={institute} />}
            {institute.services.length > 0 && (
              <ServiceMenu
                institute={institute}
                chosen={new Set(cart.choice.wishes.map(({ serviceId }) => serviceId))}
                togglePath={cart.togglePath}
              />
            )}
            <Team team={institute.team} />
            <Grades institute={institute} />
            <HoursAndPlace institute={institute} now={now} map={<PlaceMap institute={institute} />} />
          </div>
          {institute.claimed && (
            <BookingPanel
              {...cart}
              institute={institute}
              now={now}
              onTime={cart.chooseTime}
              lines={<PlanLines plan={plan} />}
              total={total(plan)}
              durationMinutes={plan.durationMinutes}
            />
          )}
        </div>
      </div>
      {institute.claimed && (
        <BottomBar
          title={
            cart.hasCart ? (
              <>
                <bdi className="strong tabular">{total(plan)}</bdi>{' '}
                <span className="small muted">
                  · <bdi>{times.duration(plan.durationMinutes)}</bdi>
                </span>
              </>
            ) : (
              t('panel.nextFree')
            )
          }
          line={cart.hasCart ? cart.selected && when(cart.selected) : first ? when(first.startsAt) : t('panel.none')}
          action={
            <ButtonLink to={cart.bookPath}>
              {!cart.hasCart
                ? t('panel.chooseShort')
                : cart.selected === null
                  ? t('panel.chooseTime')
                  : t('panel.book', { time: times.time(cart.selected, timeZone) })}
            </ButtonLink>
          }
        />
      )}
    </>
  )
}
