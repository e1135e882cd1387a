// The words of one institute on a card, a row and the map: distance, price, rating and days as people read them.
import type { InstituteCard } from '@soigne/contract/institutes'
import { useMemo } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { kilometresText } from '#/platform/distance.ts'
import { ratingText } from '#/platform/ratings.ts'
import { priceBetween, usePriceText } from '#/prices.ts'
import { useTimes } from '#/platform/time.ts'

export type Rated = { value: string; count: string; label: string }

export function useCardTexts() {
  const { t } = useTranslation(['institutes', 'labels'])
  const { locale } = useTimes()
  const priceText = usePriceText()
  return useMemo(
    () => ({
      categories: (card: Pick<InstituteCard, 'categories'>, most = 1) =>
        card.categories.slice(0, most).map((category) => t(`labels:categories.${category}`)),
      /** Its quarter; where no place was asked, in which town. */
      place: ({ quarter, city, distanceKm }: Pick<InstituteCard, 'quarter' | 'city' | 'distanceKm'>) =>
        quarter && distanceKm === null ? t('card.quarterOf', { quarter, city }) : (quarter ?? city),
      distance: (kilometres: number) => t('card.kilometres', { value: kilometresText(kilometres, locale) }),
      /** What the service of the card costs. */
      price: ({ priceFrom, service }: Pick<InstituteCard, 'priceFrom' | 'service'>) => priceText(priceBetween(priceFrom, service?.priceTo)),
      /** Nothing for a place nobody has rated yet. */
      rating: ({ rating }: Pick<InstituteCard, 'rating'>): Rated | null => {
        if (rating.count === 0) return null
        const value = ratingText(rating.average, locale)
        const count = String(rating.count)
        return { value, count, label: t('card.rating', { value, count: rating.count, shown: count }) }
      },
    }),
    [t, locale, priceText],
  )
}
