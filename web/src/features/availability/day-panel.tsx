// The times of one day, taken ones struck through; a day without any names the next one that has.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#/platform/translation.ts'
import { addDays, dayOf, useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SlotGrid } from '#/ui/slot-grid.tsx'
import { groupTimes, type DayTimes, type TimeSource } from './day-times.ts'
import styles from './time-chooser.module.css'

export type DayPanelProps = {
  source: TimeSource
  timeZone: string
  today: string
  dayTimes: DayTimes
  at: string | null
  /** The start this person holds already. */
  heldAt?: string | null | undefined
  onDay: (day: string) => void
  onChoose: (startsAt: string) => void
}

function NextFree({ source, timeZone, dayTimes, onDay }: DayPanelProps) {
  const { t } = useTranslation('availability')
  const times = useTimes()
  const from = addDays(dayTimes.day, 1)
  const next = useQuery({ queryKey: queryKeys.times.first(source.key, from), queryFn: ({ signal }) => source.next(from, signal) })
  const startsAt = next.data
  if (startsAt === undefined) return null
  if (startsAt === null) return <Notice title={t('noneAtAll')}>{t('noneAtAllHint')}</Notice>
  const when = t('dayAtTime', { day: times.dayOfInstant(startsAt, timeZone, 'long'), time: times.time(startsAt, timeZone) })
  return (
    <Notice
      icon="clock"
      title={t('none')}
      action={
        <Button variant="outline" size="small" onClick={() => onDay(dayOf(startsAt, timeZone))}>
          {t('showDay')}
        </Button>
      }
    >
      {t('nextFree', { when })}
    </Notice>
  )
}

export function DayPanel(props: DayPanelProps) {
  const { timeZone, dayTimes, at, heldAt = null, onChoose } = props
  const { t } = useTranslation(['availability', 'classes'])
  const times = useTimes()
  const isHeld = heldAt !== null && dayOf(heldAt, timeZone) === dayTimes.day
  const date = times.day(dayTimes.day, timeZone, 'full')
  return (
    <div className={styles.times}>
      <p role="status" className="visually-hidden">
        {t('found', { count: dayTimes.times.length, day: date })}
      </p>
      {dayTimes.times.length === 0 && !isHeld && <NextFree {...props} />}
      <SlotGrid
        label={t('timesOn', { day: date })}
        groups={groupTimes(
          dayTimes,
          timeZone,
          (part) => t(`availability:parts.${part}`),
          (count) => t('classes:placesLeft', { count }),
          isHeld ? { startsAt: heldAt, label: t('heldForYou') } : null,
        )}
        value={at ?? undefined}
        onChange={onChoose}
        takenLabel={t('taken')}
      />
    </div>
  )
}
