// Every institute that fits, on a list and a map. All filters live in the address.
import { Suspense, useCallback, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import {
  useLoaderData,
  useNavigate,
  useNavigation,
  useSearchParams,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { dayOf } from '#/platform/time.ts'
import { currencyDigits } from '#/platform/money.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { serverContext } from '#/platform/server-context.ts'
import { lazily } from '#/ui/lazily.tsx'
import { classNames } from '#/ui/class-names.ts'
import { Pagination } from '#/ui/pagination.tsx'
import { FilterBar } from '#/features/search/filter-bar.tsx'
import { isFilterPanelOpen } from '#/features/search/filter-panel-path.ts'
import type { FilterContext } from '#/features/search/filter-texts.ts'
import { Heart } from '#/features/favourites/heart.tsx'
import { isPlaceUnknown, PlaceTaken } from '#/features/institutes/place-taken.tsx'
import { ResultsHeading, useResultsHead } from '#/features/institutes/results-heading.tsx'
import { OpenDataNote, ResultsList } from '#/features/institutes/results-list.tsx'
import { MapToggle, ResultsMap, type DrawMap, type Found } from '#/features/institutes/results-map.tsx'
import { ResultsTools } from '#/features/search/results-tools.tsx'
import { SearchBar } from '#/features/search/search-bar.tsx'
import { readFilters, searchInput, searchPath, type Filters } from '#/search-filters.ts'
import styles from './institutes-page.module.css'

/** Fetched when a pointer comes to its button: a list is lighter for those who never filter it. */
const loadFilterPanel = async () => (await import('#/features/search/filter-panel.tsx')).FilterPanel
const FilterPanel = lazily(loadFilterPanel)

/** Where nothing was found. */
const EmptyResult = lazily(async () => (await import('#/features/search/empty-result.tsx')).EmptyResult)
const PastTheEnd = lazily(async () => (await import('#/features/search/empty-result.tsx')).PastTheEnd)

const FoundMap = lazily(async () => (await import('./found-map.tsx')).FoundMap)

export const handle = { namespaces: ['institutes', 'search', 'filters', 'labels', 'prices', 'map'] }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const filters = readFilters(new URL(request.url).searchParams)
  const server = context.get(serverContext)
  const found = await server.call('searchInstitutes', { query: searchInput(filters) })
  return { found, filters, now: server.now }
}

/** Opening the filters or the map asks for nothing new. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (currentUrl.href === nextUrl.href) return defaultShouldRevalidate
  return searchPath(readFilters(currentUrl.searchParams), { page: currentUrl.searchParams.get('page') }) !==
    searchPath(readFilters(nextUrl.searchParams), { page: nextUrl.searchParams.get('page') })
    ? defaultShouldRevalidate
    : false
}

/** What the words of the filters depend on: the zone days are counted in, the currency prices are in, and how much things cost there. */
function contextOf(found: Found, filters: Filters, now: number): FilterContext {
  const { items, local } = found
  const prices = items.flatMap(({ priceFrom }) => priceFrom ?? [])
  const currency = prices[0]?.currency ?? local?.currency ?? 'EUR'
  const amounts = prices.filter((one) => one.currency === currency).map(({ amount }) => amount / 10 ** currencyDigits(currency))
  return {
    filters,
    now,
    zone: items[0]?.timeZone ?? local?.timeZone ?? 'UTC',
    currency,
    typicalPrice: amounts.toSorted((a, b) => a - b)[Math.floor(amounts.length / 2)],
  }
}

function Pages({ found, filters }: { found: Found; filters: Filters }) {
  const { t } = useTranslation('institutes')
  return (
    <div className={styles.pages}>
      <Pagination
        page={found.page}
        pageSize={found.pageSize}
        total={found.total}
        hrefFor={({ page, pageSize }) => searchPath(filters, { page: String(page), pageSize: String(pageSize) })}
        labels={{
          navigation: t('pages.label'),
          previous: t('pages.previous'),
          next: t('pages.next'),
          pageSize: t('pages.size'),
          range: (from, to, total) => t('pages.range', { from, to, total }),
        }}
      />
    </div>
  )
}

function Results({ found, filters, now, isMapOpen }: { found: Found; filters: Filters; now: number; isMapOpen: boolean }) {
  const { t } = useTranslation('institutes')
  const { state } = useNavigation()
  const [pointed, setPointed] = useState<string | null>(null)
  const { items: cards, origin: point } = found
  // Where nobody knows the place, a day is over once it is so everywhere.
  const isDayOver = filters.day !== undefined && filters.day < dayOf(now, found.local?.timeZone ?? 'Etc/GMT+12')
  const why = isPlaceUnknown(found, filters) ? t('place.unknown') : isDayOver ? t('dayOver') : null
  const radius = filters.area || !filters.radiusKm ? null : Number(filters.radiusKm)
  const drawMap: DrawMap = useCallback(
    (props) => (
      <FoundMap
        {...props}
        cards={cards}
        now={now}
        origin={point && { name: point.name, point, radiusKm: radius }}
        highlighted={pointed}
        onHighlight={setPointed}
      />
    ),
    [cards, now, point, radius, pointed],
  )
  return (
    <div className={classNames(styles.panes, isMapOpen && styles.mapOpen)}>
      <div className={styles.list}>
        {found.items.length > 0 ? (
          <ResultsList
            cards={found.items}
            now={now}
            pending={state === 'loading'}
            highlighted={pointed}
            onPoint={setPointed}
            heartOf={(card) => <Heart institute={card} />}
          />
        ) : (
          <Suspense>
            {found.total > 0 ? <PastTheEnd filters={filters} /> : <EmptyResult filters={filters} relax={found.relax} title={why} />}
          </Suspense>
        )}
        {found.items.length > 0 && <Pages found={found} filters={filters} />}
        <OpenDataNote cards={found.items} />
      </div>
      <ResultsMap
        found={found}
        filters={filters}
        isOpen={isMapOpen}
        drawMap={drawMap}
        heartOf={(card) => <Heart institute={card} variant="plain" />}
      />
    </div>
  )
}

/** The phone's map is a place in the history, so that going back closes it. */
function useMapOpen() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isOpen = query.get('view') === 'map'
  function toggle() {
    const next = new URLSearchParams(query)
    if (isOpen) next.delete('view')
    else next.set('view', 'map')
    void navigate({ search: next.toString() }, { preventScrollReset: isOpen, replace: isOpen })
  }
  return { isOpen, toggle }
}

export default function InstitutesPage() {
  const { t } = useTranslation('institutes')
  const { found, filters, now } = useLoaderData<typeof loader>()
  const [query] = useSearchParams()
  const map = useMapOpen()
  const context = contextOf(found, filters, now)
  const place = found.origin?.name ?? filters.place ?? null
  const head = useResultsHead(filters, place)
  const isUnknown = isPlaceUnknown(found, filters)
  return (
    <div className={`page ${styles.page}`}>
      <PageHead {...head} path={searchPath(filters, { sort: null, pageSize: null, page: filters.page ?? null })} image="/og/home.png" />
      <div className={styles.top}>
        <ResultsHeading
          filters={filters}
          total={found.total}
          place={place}
          isPlaceUnknown={isUnknown}
          now={now}
          zone={context.zone}
          listed={found.listed ?? 0}
        />
        <ResultsTools filters={filters} pageSize={found.pageSize} />
        <PlaceTaken found={found} filters={filters} />
        {found.leftOut && found.leftOut.length > 0 && (
          <p className={`small muted ${styles.leftOut}`}>{t('heading.leftOut', { words: found.leftOut.join(' ') })}</p>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {t('page.found', { count: found.total })}
      </p>
      <div className={styles.search} key={searchPath(filters)}>
        <SearchBar filters={filters} now={now} zone={context.zone} size="slim" />
      </div>
      <FilterBar {...context} onNear={() => void loadFilterPanel()} />
      <Results found={found} filters={filters} now={now} isMapOpen={map.isOpen} />
      <MapToggle isOpen={map.isOpen} onToggle={map.toggle} />
      <Suspense>{isFilterPanelOpen(query) && <FilterPanel {...context} />}</Suspense>
    </div>
  )
}
