// One visit of the day: when, who, what with whom, and whether it is paid.
import { useTranslation } from '#/platform/translation.ts'
import { telAddress } from '#/platform/phone.ts'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import type { Visit } from './visits-page.tsx'
import styles from './visits-page.module.css'

export function VisitRow({ visit }: { visit: Visit }) {
  const { t: label } = useTranslation('labels')
  const times = useTimes()
  const price = usePriceText()
  const { startsAt, endsAt, timeZone, customer, segments, status, note, reference } = visit
  return (
    <li className={styles.row} data-cancelled={status === 'cancelled' || undefined}>
      <p className={styles.when}>
        <bdi className={`time ${styles.start}`}>{times.time(startsAt, timeZone)}</bdi>
        <bdi className="small muted tabular">{times.time(endsAt, timeZone)}</bdi>
      </p>
      <div className={styles.what}>
        <p className="strong">
          <bdi>{customer.name}</bdi>
        </p>
        <ul className="small muted">
          {segments.map((segment) => (
            <li key={segment.serviceId + segment.startsAt}>
              {segment.serviceName} · <bdi>{segment.staffName}</bdi>
            </li>
          ))}
        </ul>
        {note && (
          <p className={`small ${styles.note}`}>
            <Icon name="message" size={16} />
            {note}
          </p>
        )}
      </div>
      <p className={`small muted ${styles.contact}`}>
        {customer.phone && (
          <a href={telAddress(customer.phone)} className="link">
            <bdi>{customer.phone}</bdi>
          </a>
        )}
        <bdi className="tabular">{reference}</bdi>
      </p>
      <div className={styles.state}>
        <bdi className="strong tabular">{price(priceOfVisit(visit))}</bdi>
        <StatusChip status={status} label={label(`statuses.${status}`)} />
      </div>
    </li>
  )
}
