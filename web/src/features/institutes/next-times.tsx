// The next free times of an institute for one of its services: three at most, each a link into the booking.
import type { InstituteCard } from '@soigne/contract/institutes'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { bookingPath } from '#/paths.ts'
import { useTimes } from '#/platform/time.ts'
import { classNames } from '#/ui/class-names.ts'
import { SlotChip } from '#/ui/slot-chip.tsx'
import styles from './next-times.module.css'

export type NextTimesProps = {
  card: Pick<InstituteCard, 'slug' | 'name' | 'claimed' | 'service' | 'nextTimes' | 'timeZone'>
  /** The moment the page was made, so that Today means the same on both sides. */
  now: number
  /** spread: as wide as the card; loose: side by side, with a way to more times. */
  layout: 'spread' | 'loose'
}

type ServiceOfCard = NonNullable<InstituteCard['service']>

/** The booking opened with a service at one of its times, or where its time is chosen. */
function pathOf(slug: string, { _id, atHome }: ServiceOfCard, then: { at: string } | { step: 'time' }): string {
  return bookingPath(slug, new URLSearchParams({ service: _id, ...then, ...(atHome && { home: '1' }) }))
}

export function NextTimes({ card, now, layout }: NextTimesProps) {
  const { t } = useTranslation('institutes')
  const times = useTimes()
  const { service, nextTimes, slug, name, timeZone } = card
  if (!service || nextTimes.length === 0) {
    return (
      <p className={classNames('small muted', styles.none, !card.claimed && styles.unclaimed)}>
        {t(card.claimed ? 'times.none' : 'times.unclaimed')}
      </p>
    )
  }
  return (
    <ul className={styles[layout]} aria-label={t('times.label', { service: service.name, name })}>
      {nextTimes.slice(0, 3).map(({ startsAt }) => {
        const time = times.time(startsAt, timeZone)
        const day = times.dayOfInstant(startsAt, timeZone, 'short', now)
        return (
          <li key={startsAt} className={styles.time}>
            <SlotChip time={time} day={day} to={pathOf(slug, service, { at: startsAt })} className={styles.chip} />
          </li>
        )
      })}
      {layout === 'loose' && (
        <li className={styles.more}>
          <Link to={pathOf(slug, service, { step: 'time' })} className={styles.moreLink} aria-label={t('times.moreOf', { name })}>
            {t('times.more')}
          </Link>
        </li>
      )}
    </ul>
  )
}
