// The chosen services, one line each, with duration and price.
import { useTranslation } from '#/platform/translation.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import type { PricedLine, PricedCart } from './priced-cart.ts'
import styles from './summary.module.css'

export function useLinePrice() {
  const { t } = useTranslation('cart')
  const money = useMoney()
  return ({ price, isFrom }: Pick<PricedLine, 'price' | 'isFrom'>) => {
    if (!price) return t('price.onRequest')
    return isFrom ? t('price.from', { price: money(price) }) : money(price)
  }
}

export function CartLines({ cart }: { cart: PricedCart }) {
  const times = useTimes()
  const price = useLinePrice()
  return (
    <ul className={styles.lines}>
      {cart.lines.map((line) => (
        <li key={line.service._id} className={styles.line}>
          <span>
            {line.service.name} <bdi className="small muted">{times.duration(line.durationMinutes)}</bdi>
          </span>
          <bdi className="strong tabular">{price(line)}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** The sum in words: exact, "from", or on request. */
export function useTotalText(): (cart: PricedCart) => string {
  const { t } = useTranslation('cart')
  const money = useMoney()
  return ({ total, isOpenEnded }) => {
    if (!total) return t('price.onRequest')
    return isOpenEnded ? t('price.from', { price: money(total) }) : money(total)
  }
}
