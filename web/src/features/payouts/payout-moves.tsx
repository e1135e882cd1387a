// A row for each part of a payout: on a phone in lines below each other.
import type { PayoutMove } from '@soigne/contract/payouts'
import { Link } from 'react-router'
import { salePath } from '#/dashboard-paths.ts'
import table from '#/kit/table.module.css'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { feeOf } from './payout-lines.ts'
import type { PayoutWithMoves } from './use-payouts.ts'
import styles from './payouts.module.css'

const columns = ['when', 'what', 'client'] as const
const figures = ['amount', 'fee', 'net'] as const

function What({ move }: { move: PayoutMove }) {
  const { t } = useTranslation('payouts')
  const what = t(`kinds.${move.kind}`)
  return (
    <th scope="row" className={styles.what}>
      {move.saleId === null ? (
        <span className="strong">{what}</span>
      ) : (
        <Link
          to={salePath(move.saleId)}
          className={`strong ${styles.sale}`}
          aria-label={move.client === null ? undefined : t('saleOf', { what, client: move.client })}
        >
          {what}
        </Link>
      )}
      {move.said !== null && (
        <span className={`small muted ${styles.said}`}>
          <bdi>{move.said}</bdi>
        </span>
      )}
    </th>
  )
}

type RowProps = { move: PayoutMove; payout: PayoutWithMoves }

function Row({ move, payout }: RowProps) {
  const { t } = useTranslation('payouts')
  const { t: sales } = useTranslation('sales')
  const times = useTimes()
  const money = useMoney()
  const text = (amount: number) => money({ amount, currency: payout.amount.currency }, true)
  const fee = feeOf(move.fees)
  const { timeZone } = payout
  return (
    <tr>
      <td className={styles.when}>
        <bdi>{sales('moment', { day: times.dayOfInstant(move.at, timeZone), time: times.time(move.at, timeZone) })}</bdi>
      </td>
      <What move={move} />
      <td className={styles.client}>{move.client === null ? sales('none') : <bdi>{move.client}</bdi>}</td>
      <td className={styles.figure}>
        <bdi>{text(move.amount)}</bdi>
      </td>
      <td className={styles.figure}>{fee === 0 ? sales('none') : <bdi>{text(fee)}</bdi>}</td>
      <td className={styles.net}>
        <bdi>{text(move.amount + fee)}</bdi>
        {fee !== 0 && (
          <div className="mobile-only small muted">
            <p>{t('rowAmount', { amount: text(move.amount) })}</p>
            <p>{t('rowFee', { fee: text(fee) })}</p>
          </div>
        )}
      </td>
    </tr>
  )
}

export function PayoutMoves({ payout }: { payout: PayoutWithMoves }) {
  const { t } = useTranslation('payouts')
  return (
    <div className={table.table}>
      <table className={classNames(table.rows, styles.rows)} aria-labelledby="payout-parts">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`columns.${column}`)}
              </th>
            ))}
            {figures.map((column) => (
              <th key={column} scope="col" className={table.end}>
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {payout.moves.map((move, index) => (
            // Parts have no names of their own, and they never change.
            <Row key={index} move={move} payout={payout} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
