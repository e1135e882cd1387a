// Which visits the list shows, kept in its address: upcoming or past, one payment state, the page and its size.
import type { Status } from '@soigne/contract/appointments'
import { paths } from '#/paths.ts'
import { pageSizes } from '#/ui/pagination.tsx'

export const listStatuses = ['pending', 'deposit_paid', 'completed', 'cancelled'] as const satisfies readonly Status[]

export type ListPlace = { when: 'upcoming' | 'past'; status: Status | null; page: number; pageSize: number }

const defaults: ListPlace = { when: 'upcoming', status: null, page: 1, pageSize: 10 }

function readPageSize(text: string | null): number {
  return pageSizes.find((size) => String(size) === text) ?? defaults.pageSize
}

export function readListPlace(params: URLSearchParams): ListPlace {
  const page = Number(params.get('page'))
  const status = listStatuses.find((one) => one === params.get('status')) ?? null
  return {
    // Cancelled visits are past, also in an address typed by hand.
    when: params.get('when') === 'past' || status === 'cancelled' ? 'past' : 'upcoming',
    status,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    pageSize: readPageSize(params.get('pageSize')),
  }
}

/** Cancelled visits are past, whenever they would have been: the part named last wins. */
function atOnce(place: ListPlace, change: Partial<ListPlace>): ListPlace {
  if (place.status !== 'cancelled' || place.when === 'past') return place
  return change.when === 'upcoming' ? { ...place, status: null } : { ...place, when: 'past' }
}

/** The address of a place; another filter starts at its first page. */
export function listPath(place: ListPlace, change: Partial<ListPlace> = {}): string {
  const isSameList = change.when === undefined && change.status === undefined
  const { when, status, page, pageSize } = atOnce({ ...place, ...(isSameList ? {} : { page: 1 }), ...change }, change)
  const params = new URLSearchParams()
  if (when !== defaults.when) params.set('when', when)
  if (status !== null) params.set('status', status)
  if (page !== defaults.page) params.set('page', String(page))
  if (pageSize !== defaults.pageSize) params.set('pageSize', String(pageSize))
  const query = params.toString()
  return query ? `${paths.appointments}?${query}` : paths.appointments
}
