// Which visits the list shows, kept in its address: those to come, those that are over or those that were cancelled, the page and its size.
import { paths } from '#/paths.ts'
import { pageSizes } from '#/ui/pagination.tsx'

export const listParts = ['upcoming', 'past', 'cancelled'] as const
export type ListPart = (typeof listParts)[number]

export type ListPlace = { when: ListPart; page: number; pageSize: number }

const defaults: ListPlace = { when: 'upcoming', page: 1, pageSize: 10 }

function readPageSize(text: string | null): number {
  return pageSizes.find((size) => String(size) === text) ?? defaults.pageSize
}

export function readListPlace(params: URLSearchParams): ListPlace {
  const page = Number(params.get('page'))
  return {
    when: listParts.find((one) => one === params.get('when')) ?? defaults.when,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    pageSize: readPageSize(params.get('pageSize')),
  }
}

/** What the server is asked for a part of the list. */
export const askedOf = {
  upcoming: { when: 'upcoming' },
  past: { when: 'over' },
  cancelled: { status: 'cancelled' },
} as const

/** The address of a place; another part starts at its first page. */
export function listPath(place: ListPlace, change: Partial<ListPlace> = {}): string {
  const { when, page, pageSize } = { ...place, ...(change.when !== undefined && { page: 1 }), ...change }
  const params = new URLSearchParams()
  if (when !== defaults.when) params.set('when', when)
  if (page !== defaults.page) params.set('page', String(page))
  if (pageSize !== defaults.pageSize) params.set('pageSize', String(pageSize))
  const query = params.toString()
  return query ? `${paths.appointments}?${query}` : paths.appointments
}
