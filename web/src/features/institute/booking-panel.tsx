// The panel that stays beside the page: the next free times for what is chosen, what it comes to, and one button.
import type { Institute, Service } from '@soigne/contract/institutes'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { priceOfService, usePriceText } from '#/prices.ts'
import { useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import styles from './booking-panel.module.css'

export type FreeTimes = readonly { startsAt: string; endsAt: string }[]

export type BookingPanelProps = {
  institute: Institute
  now: number
  times: FreeTimes
  /** The times are being asked for again, since the cart changed. */
  isPending: boolean
  /** The start the button books. */
  selected: string | null
  /** Shown when nothing is chosen yet: the service the times are for. */
  suggestion: Service | null
  hasCart: boolean
  /** Where each of the times leads: it becomes the chosen one. */
  timePath: (startsAt: string) => string
  onTime: (event: MouseEvent<HTMLElement>, startsAt: string) => void
  allTimesPath: string
  bookPath: string
  /** The chosen services, one line each, and their sum. */
  lines: ReactNode
  total: ReactNode
  durationMinutes: number
}

function Heading({ institute, times, now }: Pick<BookingPanelProps, 'institute' | 'times' | 'now'>) {
  const { t } = useTranslation('institute')
  const format = useTimes()
  const [first] = times
  if (!first) return <p className={`serif ${styles.next}`}>{t('panel.none')}</p>
  return (
    <p className={`serif ${styles.next}`}>
      {t('panel.dayAtTime', {
        day: format.dayOfInstant(first.startsAt, institute.timeZone, 'short', now),
        time: format.time(first.startsAt, institute.timeZone),
      })}
    </p>
  )
}

function Times({ institute, times, now, selected, timePath, onTime }: BookingPanelProps) {
  const { t } = useTranslation('institute')
  const format = useTimes()
  const { timeZone } = institute
  const days = new Set(times.map(({ startsAt }) => format.dayOfInstant(startsAt, timeZone, 'short', now)))
  return (
    <ul className={styles.times} aria-label={t('panel.times')}>
      {times.map(({ startsAt }) => {
        const day = format.dayOfInstant(startsAt, timeZone, 'short', now)
        const time = format.time(startsAt, timeZone)
        return (
          <li key={startsAt}>
            <SlotChip
              time={time}
              // Where the day is written, what is read is what is seen.
              {...(days.size > 1 ? { day } : { label: t('panel.dayAtTime', { day, time }) })}
              selected={startsAt === selected}
              to={timePath(startsAt)}
              onClick={(event) => onTime(event, startsAt)}
              className={styles.chip}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** Until when cancelling is free; where nobody says so, that nothing is paid before. */
function Terms({ rules: { cancelWindowHours, payAtSalon } }: Pick<Institute, 'rules'>) {
  const { t } = useTranslation('institute')
  if (cancelWindowHours === null && !payAtSalon) return null
  return (
    <p className={`small muted ${styles.terms}`}>
      {cancelWindowHours === null ? t('panel.payAtSalon') : t('panel.freeHours', { count: cancelWindowHours })}
    </p>
  )
}

export function BookingPanel(props: BookingPanelProps) {
  const { institute, times, isPending, selected, suggestion, hasCart, allTimesPath, bookPath, lines, total, durationMinutes } = props
  const { t } = useTranslation('institute')
  const format = useTimes()
  const price = usePriceText()
  const { timeZone, rules } = institute
  const end = times.find(({ startsAt }) => startsAt === selected)?.endsAt
  return (
    <aside className={styles.panel} aria-label={t('panel.label')}>
      <div aria-busy={isPending} className={isPending ? styles.pending : undefined}>
        <p className="small muted">
          {hasCart || !suggestion
            ? t('panel.nextFree')
            : t('panel.nextFreeFor', { name: suggestion.name, price: price(priceOfService(suggestion, null)) })}
        </p>
        <Heading {...props} />
        {times.length > 0 && <Times {...props} />}
      </div>
      <ButtonLink to={allTimesPath} variant="text" wide className={styles.all}>
        {t('panel.allTimes')}
      </ButtonLink>
      <hr className={styles.rule} />
      {hasCart ? (
        <>
          {lines}
          <hr className={styles.rule} />
          <p className={styles.total}>
            <span className="muted">
              {end ? (
                t('panel.lengthUntil', { length: format.duration(durationMinutes), time: format.time(end, timeZone) })
              ) : (
                <bdi>{format.duration(durationMinutes)}</bdi>
              )}
            </span>
            <bdi className={`time ${styles.sum}`}>{total}</bdi>
          </p>
        </>
      ) : (
        <p className="small muted">{t('panel.empty')}</p>
      )}
      <ButtonLink to={bookPath} size="large" wide className={styles.book}>
        {!hasCart
          ? t('panel.choose')
          : selected === null
            ? t('panel.chooseTime')
            : t('panel.book', { time: format.time(selected, timeZone) })}
      </ButtonLink>
      <Terms rules={rules} />
    </aside>
  )
}
