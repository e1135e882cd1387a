// `/wishlists`: the institutes somebody marked, each with its next free times.
import type { InstituteCard as Card } from '@soigne/contract/institutes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearchParams } from 'react-router'
import { coversOf } from '#/features/institutes/card-cover.ts'
import { InstituteCard } from '#/features/institutes/institute-card.tsx'
import { Heart } from '#/features/favourites/heart.tsx'
import { useFavouriteIds } from '#/features/favourites/use-favourites.ts'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Pagination } from '#/ui/pagination.tsx'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import styles from './favourites-page.module.css'

export const handle = { namespaces: ['favourites', 'institutes', 'labels', 'prices'] }

const pageSize = 50

function Waiting() {
  return (
    <div className={styles.cards} aria-hidden="true">
      {[0, 1, 2, 3].map((one) => (
        <Skeleton key={one} className={styles.waiting} />
      ))}
    </div>
  )
}

function FindAnother() {
  const { t } = useTranslation('favourites')
  return (
    <Link to={paths.institutes} className={styles.another}>
      <Icon name="search" size={24} />
      <span className="d5">{t('another')}</span>
      <span className="small muted">{t('anotherText')}</span>
    </Link>
  )
}

function Cards({ cards, now, isToday }: { cards: readonly Card[]; now: number; isToday: boolean }) {
  const { t } = useTranslation('favourites')
  const covers = coversOf(cards, 4)
  return (
    <>
      {cards.length === 0 && <p className={`muted ${styles.none}`}>{t('noneToday')}</p>}
      <ul className={styles.cards} aria-label={t(isToday ? 'freeToday' : 'title')}>
        {cards.map((card, index) => {
          const cover = covers[index]
          return (
            <li key={card._id}>
              {cover && <InstituteCard card={card} cover={cover} now={now} eager={index < 4} heart={<Heart institute={card} />} />}
            </li>
          )
        })}
        <li>
          <FindAnother />
        </li>
      </ul>
    </>
  )
}

function Nothing() {
  const { t } = useTranslation('favourites')
  return (
    <EmptyState vignette="vase" title={t('empty')} action={<ButtonLink to={paths.institutes}>{t('find')}</ButtonLink>}>
      {t('emptyText')}
    </EmptyState>
  )
}

function pagePath(page: number, isToday: boolean): string {
  const query = new URLSearchParams({ ...(isToday && { show: 'today' }), ...(page > 1 && { page: String(page) }) })
  return query.size > 0 ? `${paths.favourites}?${query}` : paths.favourites
}

/** What is marked no longer goes at once; the list itself is asked for again. */
function useFavourites(page: number, isToday: boolean) {
  const user = useUser()
  const ids = useFavouriteIds(user)
  const free = isToday ? 'today' : undefined
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: queryKeys.favourites.list(page, free),
    queryFn: ({ signal }) => api.favourites({ query: { page, pageSize, free } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const items = data?.items.filter(({ _id }) => !ids || ids.includes(_id))
  const gone = (data?.items.length ?? 0) - (items?.length ?? 0)
  const total = (data?.total ?? 0) - gone
  // Of those that are free today the answer counts no others.
  const marked = isToday ? (ids?.length ?? total) : total
  return { items, total, marked, error: data ? null : error, refetch, now: dataUpdatedAt }
}

export default function FavouritesPage() {
  const { t } = useTranslation('favourites')
  const [query] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
  const isToday = query.get('show') === 'today'
  const { items: cards, total, marked, error, refetch, now } = useFavourites(page, isToday)
  // The last one of the last page was taken off, or an address was kept for long.
  if (cards?.length === 0 && total > 0 && page > 1) return <Navigate to={pagePath(Math.ceil(total / pageSize), isToday)} replace />
  return (
    <div className={`page ${styles.page}`}>
      <PageHead title={t('title')} />
      <div className={styles.head}>
        <div>
          <h1 className="d1">{t('title')}</h1>
          <p className={`lede ${styles.lede}`}>{cards && marked > 0 ? t('count', { count: marked }) : '\u00a0'}</p>
        </div>
        {marked > 0 && (
          <SegmentedLinks
            label={t('show')}
            items={[
              { to: pagePath(1, false), label: t('all'), current: !isToday },
              { to: pagePath(1, true), label: t('freeToday'), current: isToday },
            ]}
          />
        )}
      </div>
      {error ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={!cards} label={t('loading')} skeleton={<Waiting />}>
          {cards && marked === 0 && <Nothing />}
          {cards && marked > 0 && <Cards cards={cards} now={now} isToday={isToday} />}
          {total > pageSize && (
            <Pagination
              page={page}
              pageSize={pageSize}
              total={total}
              hrefFor={(target) => pagePath(target.page, isToday)}
              labels={{
                navigation: t('pages.label'),
                previous: t('pages.previous'),
                next: t('pages.next'),
                pageSize: t('pages.size'),
                range: (from, to, all) => t('pages.range', { from, to, total: all }),
              }}
            />
          )}
        </Loading>
      )}
    </div>
  )
}
