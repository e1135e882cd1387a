// The days of a week, the times of one of them, and a month to jump further. It opens on the first day with room.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { failureText } from '#/platform/api-error.ts'
import { addDays, dayOf, daysBetween, useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Button } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading } from '#/ui/skeleton.tsx'
import { DayPanel } from './day-panel.tsx'
import type { DayTimes, TimeSource } from './day-times.ts'
import { TimesSkeleton } from './times-skeleton.tsx'
import { WeekArrow, WeekStrip } from './week-strip.tsx'
import styles from './time-chooser.module.css'

const MonthChooser = lazily(async () => (await import('./month-chooser.tsx')).MonthChooser)

export type TimeChooserProps = {
  source: TimeSource
  timeZone: string
  /** Furthest day that can be booked, in days from today. */
  horizonDays: number
  /** Day on show; null opens the first one with room. */
  day: string | null
  /** Chosen start. */
  at: string | null
  /** The start this person holds already: theirs, though it is free for nobody. */
  heldAt?: string | null
  onDay: (day: string) => void
  onChoose: (startsAt: string) => void
  now: number
}

const weekDays = 7

function useShownDay({ source, day, at, timeZone }: TimeChooserProps, today: string) {
  const wanted = day ?? (at === null ? null : dayOf(at, timeZone))
  const first = useQuery({
    queryKey: queryKeys.times.first(source.key, today),
    queryFn: ({ signal }) => source.next(today, signal),
    enabled: wanted === null,
  })
  if (wanted !== null) return { shown: wanted < today ? today : wanted, isLoading: false }
  const found = first.data ? dayOf(first.data, timeZone) : today
  return { shown: found, isLoading: first.isPending }
}

/** A week that is turned to opens on its first day with room, not on a day of rest. Answers how to turn. */
function useTurning(shown: string, week: readonly DayTimes[] | undefined, onDay: (day: string) => void) {
  const turnedTo = useRef<string | null>(null)
  useEffect(() => {
    if (turnedTo.current !== shown || !week?.some(({ day }) => day === shown)) return
    turnedTo.current = null
    const open = week.find(({ times }) => times.length > 0)?.day
    if (open !== undefined && open !== shown) onDay(open)
  }, [shown, week, onDay])
  return (day: string) => {
    turnedTo.current = day
    onDay(day)
  }
}

type ChooserHeadProps = Pick<TimeChooserProps, 'source' | 'onDay'> & {
  shown: string
  today: string
  lastDay: string
  arrows: ReactNode
}

/** The month on show, with a calendar to pick another day from. */
function ChooserHead({ source, shown, today, lastDay, onDay, arrows }: ChooserHeadProps) {
  const { t } = useTranslation('availability')
  const times = useTimes()
  const [picksDate, setPicksDate] = useState(false)
  return (
    <>
      <div className={styles.head}>
        <h2 className="d4">{times.month(shown)}</h2>
        <div className={styles.tools}>
          <Button variant="text" size="small" icon="calendar" aria-expanded={picksDate} onClick={() => setPicksDate(!picksDate)}>
            {t('pickDate')}
          </Button>
          <span className={styles.handy}>{arrows}</span>
        </div>
      </div>
      {picksDate && (
        <Suspense>
          <MonthChooser
            source={source}
            day={shown}
            today={today}
            lastDay={lastDay}
            onDay={(chosen) => {
              setPicksDate(false)
              onDay(chosen)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

export function TimeChooser(props: TimeChooserProps) {
  const { source, timeZone, horizonDays, at, heldAt, onDay, onChoose, now } = props
  const { t } = useTranslation('availability')
  const today = dayOf(now, timeZone)
  const lastDay = addDays(today, horizonDays)
  const { shown, isLoading } = useShownDay(props, today)
  const weekStart = addDays(today, Math.floor(daysBetween(today, shown) / weekDays) * weekDays)
  const week = useQuery({
    queryKey: queryKeys.times.days(source.key, weekStart),
    queryFn: ({ signal }) => source.days(weekStart, weekDays, signal),
    enabled: !isLoading,
    placeholderData: keepPreviousData,
  })
  const days = Array.from({ length: weekDays }, (_, index) => addDays(weekStart, index))
  const earlier = weekStart > today ? addDays(weekStart, -weekDays) : null
  const later = daysBetween(today, weekStart) + weekDays <= horizonDays ? addDays(weekStart, weekDays) : null
  const arrived = week.isPlaceholderData ? undefined : week.data
  const dayTimes = arrived?.find((one) => one.day === shown)
  const turn = useTurning(shown, arrived, onDay)
  const isClass = source.isClass ?? arrived?.some(({ times }) => times.some(({ seatsLeft }) => seatsLeft !== undefined)) ?? false

  if (week.isError && !week.data) {
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void week.refetch()}>
        {failureText(week.error)}
      </ErrorState>
    )
  }
  return (
    <div>
      <ChooserHead
        {...{ source, shown, today, lastDay, onDay }}
        arrows={
          <>
            <WeekArrow to="earlier" day={earlier} onDay={turn} />
            <WeekArrow to="later" day={later} onDay={turn} />
          </>
        }
      />
      <WeekStrip {...{ days, shown, lastDay, earlier, later, onDay, isClass }} times={arrived} onTurn={turn} />
      <Loading loading={isLoading || dayTimes === undefined} label={t('loading')} skeleton={<TimesSkeleton />}>
        {dayTimes && <DayPanel {...{ source, timeZone, today, at, heldAt, onDay, onChoose, dayTimes }} />}
      </Loading>
    </div>
  )
}
