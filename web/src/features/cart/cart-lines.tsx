// The chosen services, one line each, with duration and price.
import { useTimes } from '#/platform/time.ts'
import { usePriceText } from '#/prices.ts'
import type { PricedCart } from './priced-cart.ts'
import styles from './summary.module.css'

export function CartLines({ cart }: { cart: PricedCart }) {
  const times = useTimes()
  const price = usePriceText()
  return (
    <ul className={styles.lines}>
      {cart.lines.map((line) => (
        <li key={line.service._id} className={styles.line}>
          <span>
            {line.service.name} <bdi className="small muted">{times.duration(line.durationMinutes)}</bdi>
          </span>
          <bdi className="strong tabular">{price(line.price)}</bdi>
        </li>
      ))}
    </ul>
  )
}
