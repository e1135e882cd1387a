// A row for each sale: on a phone in two lines.
import type { SaleRow } from '@soigne/contract/sales'
import { Link } from 'react-router'
import { salePath } from '#/dashboard-paths.ts'
import table from '#/kit/table.module.css'
import { inLine } from '#/platform/lists.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { PayMethod } from './pay-method.tsx'
import type { Sales } from './use-sales.ts'
import styles from './sales.module.css'

const columns = ['number', 'date', 'client', 'services', 'staff', 'method', 'status'] as const

function Row({ row, timeZone }: { row: SaleRow; timeZone: string }) {
  const { t, i18n } = useTranslation('sales')
  const { t: word } = useTranslation('labels')
  const times = useTimes()
  const money = useMoney()
  const at = t('moment', { day: times.dayOfInstant(row.at, timeZone), time: times.time(row.at, timeZone) })
  const name = row.client?.name || t('walkIn')
  return (
    <tr>
      <td className={styles.number}>
        <bdi dir="ltr">{row.number ?? t('none')}</bdi>
      </td>
      <td className={styles.date}>
        <bdi>{at}</bdi>
      </td>
      <th scope="row" className={styles.client}>
        <Link to={salePath(row._id)} className={styles.person}>
          <FaceImage name={name} size={36} />
          <bdi className="strong">{name}</bdi>
        </Link>
      </th>
      <td className={styles.services}>{inLine(row.services, i18n.language)}</td>
      <td className={styles.staff}>
        <bdi>{inLine(row.staff, i18n.language)}</bdi>
      </td>
      <td className={styles.methods}>
        {row.methods.length === 0 ? t('none') : row.methods.map((method) => <PayMethod key={method} method={method} />)}
      </td>
      <td className={styles.status}>
        <StatusChip status={row.status} label={word(`statuses.${row.status}`)} />
        {row.refunded.amount > 0 && (
          <span className={styles.back}>{t(row.refunded.amount >= row.total.amount ? 'refunded' : 'partlyRefunded')}</span>
        )}
      </td>
      <td className={styles.amount}>
        {row.status === 'cancelled' ? (
          <del>
            <bdi>{money(row.total, true)}</bdi>
          </del>
        ) : (
          <bdi>{money(row.total, true)}</bdi>
        )}
      </td>
    </tr>
  )
}

export function SalesTable({ sales }: { sales: Sales }) {
  const { t } = useTranslation('sales')
  return (
    <table className={classNames(table.rows, styles.rows)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`columns.${column}`)}
            </th>
          ))}
          <th scope="col" className={table.end}>
            {t('columns.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {sales.items.map((row) => (
          <Row key={row._id} row={row} timeZone={sales.timeZone} />
        ))}
      </tbody>
    </table>
  )
}
