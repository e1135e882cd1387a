// What is chosen and its button in one line, where there is no room for the panel.
import type { Institute } from '@soigne/contract/institutes'
import { useTranslation } from '#/platform/translation.ts'
import { priceOfService, usePriceText } from '#/prices.ts'
import type { PricedCart } from '#/features/cart/priced-cart.ts'
import { useTimes } from '#/platform/time.ts'
import { BottomBar } from '#/ui/bottom-bar.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import type { Cart } from './use-cart.ts'

type CartBarProps = { institute: Institute; now: number; cart: Cart; priced: PricedCart }

export function CartBar({ institute: { timeZone }, now, cart, priced }: CartBarProps) {
  const { t } = useTranslation('institute')
  const times = useTimes()
  const total = usePriceText()
  const when = (at: string) => t('panel.dayAtTime', { day: times.dayOfInstant(at, timeZone, 'short', now), time: times.time(at, timeZone) })
  const { hasCart, suggestion, selected, bookPath } = cart
  const first = cart.times[0]?.startsAt
  const nextFreeTitle = suggestion
    ? t('panel.nextFreeFor', { name: suggestion.name, price: total(priceOfService(suggestion, null)) })
    : t('panel.nextFree')
  const title = hasCart ? (
    <>
      <bdi className="strong tabular">{total(priced.total)}</bdi>{' '}
      <span className="small muted">
        · <bdi>{times.duration(priced.durationMinutes)}</bdi>
      </span>
    </>
  ) : (
    nextFreeTitle
  )
  const nextFree = first === undefined ? t('panel.none') : when(first)
  const chosen = selected === null ? t('panel.chooseTime') : t('panel.book', { time: times.time(selected, timeZone) })
  return (
    <BottomBar
      title={title}
      line={hasCart ? selected && when(selected) : nextFree}
      action={<ButtonLink to={bookPath}>{hasCart ? chosen : t('panel.chooseShort')}</ButtonLink>}
    />
  )
}
