// All reviews of an institute, filtered and sorted, ten more with each "Show more".
import type { ReviewOrder, ReviewPage } from '@soigne/contract/reviews'
import type { Locale } from '@soigne/contract/wire'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { reviewOrders } from '#/contract/closed-lists.ts'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { ReviewCards, type ReviewsInstitute } from './reviews-list.tsx'
import styles from './reviews.module.css'

type Filters = { stars: number | null; withPictures: boolean; language: Locale | null; sort: ReviewOrder }

const pageSize = 10

function useReviews(slug: string, { stars, withPictures, language, sort }: Filters) {
  const asked = {
    sort,
    pageSize,
    ...(stars !== null && { stars }),
    ...(withPictures && { withPictures: 'true' as const }),
    ...(language !== null && { language }),
  }
  return useInfiniteQuery({
    queryKey: queryKeys.reviews.ofInstitute(slug, asked),
    queryFn: ({ pageParam, signal }) => api.instituteReviews({ params: { slug }, query: { ...asked, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last: ReviewPage) => (last.page * last.pageSize < last.total ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

type FilterFormProps = { page: ReviewPage; filters: Filters; setFilters: (filters: Filters) => void }

function FilterForm({ page, filters, setFilters }: FilterFormProps) {
  const { t } = useTranslation('reviews')
  const stars = page.breakdown.filter(({ count }) => count > 0)
  return (
    <div className={styles.filters}>
      <ChoiceChips
        legend={t('filters.label')}
        name="stars"
        chosen={filters.stars === null ? '' : String(filters.stars)}
        choices={[
          { value: '', label: t('filters.all') },
          ...stars.map((one) => ({ value: String(one.stars), label: t('section.stars', { count: one.stars }) })),
        ]}
        onChoose={(value) => setFilters({ ...filters, stars: value === '' ? null : Number(value) })}
      />
      <ChoiceChips
        legend={t('filters.sort')}
        name="sort"
        chosen={filters.sort}
        choices={reviewOrders.map((value) => ({ value, label: t(`filters.${value}`) }))}
        onChoose={(value) => setFilters({ ...filters, sort: reviewOrders.find((one) => one === value) ?? 'newest' })}
      />
      {page.languages.length > 1 && (
        <ChoiceChips
          legend={t('filters.languageLabel')}
          name="language"
          chosen={filters.language ?? ''}
          choices={[
            { value: '', label: t('filters.all') },
            ...page.languages.map(({ language }) => ({ value: language, label: t(`filters.language.${language}`) })),
          ]}
          onChoose={(value) =>
            setFilters({ ...filters, language: page.languages.find(({ language }) => language === value)?.language ?? null })
          }
        />
      )}
      {page.withPictures > 0 && (
        <Checkbox
          label={t('filters.withPictures')}
          checked={filters.withPictures}
          onChange={({ target }) => setFilters({ ...filters, withPictures: target.checked })}
        />
      )}
    </div>
  )
}

export type AllReviewsProps = { institute: ReviewsInstitute; page: ReviewPage; /** Only these at first. */ stars: number | null }

export function AllReviews({ institute, page, stars }: AllReviewsProps) {
  const { t } = useTranslation('reviews')
  const [filters, setFilters] = useState<Filters>({ stars, withPictures: false, language: null, sort: 'newest' })
  const query = useReviews(institute.slug, filters)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = query
  const place = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone: whoever uses the keyboard goes on here.
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  const reviews = data?.pages.flatMap(({ items }) => items) ?? page.items
  const total = data?.pages[0]?.total ?? page.total
  return (
    <div ref={place} tabIndex={-1} className={styles.all}>
      <FilterForm page={page} filters={filters} setFilters={setFilters} />
      <p role="status" className="small muted">
        {data && !isPlaceholderData && total > 0 && t('section.shown', { shown: reviews.length, total })}
      </p>
      {error && !data ? (
        <Notice
          tone="error"
          announce
          action={
            <Button variant="soft" size="small" onClick={() => void refetch()}>
              {t('section.retry')}
            </Button>
          }
        >
          {t('section.failed')}
        </Notice>
      ) : total === 0 ? (
        <p className={styles.none}>{t('filters.none')}</p>
      ) : (
        <div aria-busy={isPlaceholderData || undefined}>
          <ReviewCards reviews={reviews} institute={institute} />
        </div>
      )}
      {query.isFetchNextPageError && (
        <Notice tone="error" announce>
          {t('section.failed')}
        </Notice>
      )}
      {hasNextPage && (
        <Button variant="outline" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('section.more')}
        </Button>
      )}
    </div>
  )
}
