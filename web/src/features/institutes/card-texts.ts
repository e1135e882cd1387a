// The words of one institute on a card, a row and the map: distance, price, rating and days as people read them.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Money } from '@soigne/contract/wire'
import { useMemo } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { kilometresText } from '#/platform/distance.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'

export type Rated = { value: string; count: string; label: string }

export function useCardTexts() {
  const { t } = useTranslation(['institutes', 'labels'])
  const { locale } = useTimes()
  const money = useMoney()
  return useMemo(
    () => ({
      categories: (card: Pick<InstituteCard, 'categories'>, most = 1) =>
        card.categories.slice(0, most).map((category) => t(`labels:categories.${category}`)),
      distance: (kilometres: number) => t('card.kilometres', { value: kilometresText(kilometres, locale) }),
      price: (price: Money) => money(price),
      /** Nothing for a place nobody has rated yet. */
      rating: ({ rating }: Pick<InstituteCard, 'rating'>): Rated | null => {
        if (rating.count === 0) return null
        const value = rating.average.toFixed(1)
        const count = String(rating.count)
        return { value, count, label: t('card.rating', { value, count: rating.count, shown: count }) }
      },
    }),
    [t, locale, money],
  )
}
