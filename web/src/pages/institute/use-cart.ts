// The cart of an institute's page: kept in the address (`service`), the chosen time beside it (`at`).
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Institute } from '@soigne/contract/institutes'
import { minuteMs } from '@soigne/contract/time'
import { parseInstant } from '#/platform/time.ts'
import type { MouseEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { choiceParams, readChoice, toggleService, type CartItem, type Choice } from '#/features/cart/choice.ts'
import { bookingPath, salonPath } from '#/paths.ts'
import { isBookable } from '#/prices.ts'
import { api } from '#/platform/api.ts'
import { queryKeys } from '#/query-keys.ts'

export const shownTimes = 3

/** Free times, and the services they are of. */
export type NextTimes = Pick<Answer<Calls['nextTimes']>, 'times' | 'services'>
/** The next free times as the page came with them, for the cart it came with. */
export type LoadedTimes = { next: NextTimes | null; service: readonly string[]; now: number }

/** What times are asked of: the cart; of an empty one whichever service is free earliest. Null where nothing is booked online. */
export function askedOf(institute: Institute, items: readonly CartItem[]): { service?: string[]; limit: number } | null {
  if (items.length > 0) return { service: items.map(({ serviceId }) => serviceId), limit: shownTimes }
  return institute.services.some((service) => isBookable(institute, service)) ? { limit: shownTimes } : null
}

function useNextTimes(institute: Institute, items: readonly CartItem[], { next, service: loaded, now }: LoadedTimes) {
  const asked = askedOf(institute, items)
  const service = asked?.service ?? []
  const isLoaded = next !== null && service.join() === loaded.join()
  const { data, isPlaceholderData, isFetching } = useQuery({
    queryKey: queryKeys.availability.panel(institute._id, service),
    queryFn: ({ signal }): Promise<NextTimes> =>
      api.nextTimes({ params: { id: institute._id }, query: asked ?? { limit: shownTimes } }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // What the page came with is not asked again as soon as its scripts are there, on however slow a line.
    ...(isLoaded && { initialData: next, initialDataUpdatedAt: now, staleTime: minuteMs }),
  })
  return { times: data?.times ?? [], services: data?.services ?? [], isPending: isPlaceholderData && isFetching }
}

function cartPath(institute: Institute, choice: Choice): string {
  const query = choiceParams(choice).toString()
  return query ? `${salonPath(institute.slug)}?${query}` : salonPath(institute.slug)
}

/** Where the button leads: to the chosen time, else to choosing one. */
function bookPathOf({ slug }: Institute, choice: Choice, selected: string | null): string {
  if (choice.items.length === 0) return bookingPath(slug)
  const change: Partial<Choice> = selected === null ? { at: null, staffAnswered: true, step: 'time' } : { at: selected }
  return bookingPath(slug, choiceParams(choice, change))
}

/** What is chosen, its next times, and where each tap leads. */
export function useCart(institute: Institute, loaded: LoadedTimes) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const choice = { ...readChoice(params, institute), staffAnswered: false, day: null }
  const { times, services, isPending } = useNextTimes(institute, choice.items, loaded)
  const hasCart = choice.items.length > 0
  const suggestion = hasCart ? null : (institute.services.find(({ _id }) => _id === services[0]) ?? null)
  const isChosen = ({ startsAt }: { startsAt: string }) => choice.at !== null && parseInstant(startsAt) === parseInstant(choice.at)
  const selected = hasCart ? ((times.find(isChosen) ?? times[0])?.startsAt ?? null) : null
  const suggested: Choice = suggestion ? { ...choice, items: [{ serviceId: suggestion._id, staffId: null }] } : choice
  return {
    choice,
    times,
    isPending,
    hasCart,
    suggestion,
    selected,
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
    bookPath: bookPathOf(institute, choice, selected),
  }
}

export type Cart = ReturnType<typeof useCart>
