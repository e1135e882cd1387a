// Criteria of every kind with every other: what the texts of a search are checked with.
import { sortOrders } from '@soigne/contract/institutes'
import { someId } from '#/platform/statement.ts'
import type { RowFilters } from './filters.ts'
import type { SearchCriteria } from './search-request.ts'
import type { FoundQuery } from './search-store.ts'
import type { WordQuery } from './words-store.ts'

export function manyCriteria(): FoundQuery[] {
  const point = { lat: 45, lon: 5 }
  const word: WordQuery = { typed: ["'nail':*"], meant: ["'nail':*"], categories: [] }
  const now = Date.UTC(2026, 4, 1)
  const times = [{}, { day: '2026-05-02' }, { part: 'evening' }, { day: '2026-05-02', part: 'morning' }] as const
  const places: RowFilters[] = [{}, { origin: point, radiusKm: 5 }, { area: { west: 170, south: 0, east: -170, north: 1 } }]
  const others: Pick<SearchCriteria, 'rows' | 'service' | 'openNow'>[] = [
    { rows: {}, service: {}, openNow: false },
    {
      rows: {
        category: 'hair',
        audience: 'Men',
        atHome: true,
        language: 'French',
        minRating: 4,
        paidOnline: { method: 'card', needsAccount: true },
      },
      service: { category: 'hair', audience: 'Men', maxPrice: 40.5 },
      openNow: true,
    },
  ]
  const queries = [[], [word], [word, { ...word, categories: ['nails'] }]]
  return sortOrders.flatMap((sort) =>
    times.flatMap((time) =>
      places.flatMap((place) =>
        others.flatMap(({ rows, service, openNow }) =>
          queries.map((some) => ({
            criteria: {
              rows: { ...rows, ...place, ...(some.length > 0 && { words: ['nail'] }) },
              service,
              openNow,
              sort,
              origin: null,
              ...time,
            },
            queries: some,
            zones: ['Europe/Paris'],
            everyZone: !place.origin,
            now,
            verdicts: [{ id: someId, first: null }],
            limit: 1,
            offset: 0,
            mostCounted: 1,
          })),
        ),
      ),
    ),
  )
}
