// What it costs to change one's mind, before the click: free until a time, what comes after, and what is paid where.
import type { Institute } from '@soigne/contract/institutes'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import type { Hold } from '@soigne/contract/appointments'
import { hourMs } from '@soigne/contract/time'
import { dayOf, daysBetween, instantText, parseInstant, useTimes } from '#/platform/time.ts'
import styles from './booking.module.css'

/** The instant until which cancelling is free, by the hours of the institute's rule; null when it never is. */
export function freeUntilOf(startsAt: string, cancelWindowHours: number | null): string | null {
  return cancelWindowHours === null ? null : instantText(parseInstant(startsAt) - cancelWindowHours * hourMs)
}

/** A day inside a sentence, where French writes it small. */
export function useDayInside(): (day: string, timeZone: string) => string {
  const times = useTimes()
  return (day, timeZone) => times.day(day, timeZone, 'within')
}

/** How far its day is, and day and time in words. */
function useMoment() {
  const times = useTimes()
  const dayInside = useDayInside()
  return (instant: string, timeZone: string) => {
    const day = dayOf(instant, timeZone)
    const ahead = daysBetween(dayOf(Date.now(), timeZone), day)
    return { ahead, day: dayInside(day, timeZone), time: times.time(instant, timeZone) }
  }
}

/** 16:40 today, 16:40 tomorrow, Friday 28 November at 16:40: inside a sentence. */
export function useWhenInside(): (instant: string, timeZone: string) => string {
  const { t } = useTranslation('booking')
  const moment = useMoment()
  return (instant, timeZone) => {
    const { ahead, day, time } = moment(instant, timeZone)
    if (ahead === 0) return t('todayAtTime', { time })
    return ahead === 1 ? t('tomorrowAtTime', { time }) : t('dayAtTime', { day, time })
  }
}

/** Each its own sentence: French has other words before a day than before tomorrow. */
function useUntil(): (instant: string, timeZone: string) => string {
  const { t } = useTranslation('booking')
  const moment = useMoment()
  return (instant, timeZone) => {
    const { ahead, day, time } = moment(instant, timeZone)
    if (ahead === 0) return t('terms.untilToday', { time })
    return ahead === 1 ? t('terms.untilTomorrow', { time }) : t('terms.until', { day, time })
  }
}

export type TermsLineProps = {
  institute: Institute
  at: string
  /** What the visit comes to, in words. */ total: string
  /** What of it is left for the salon, in words; all of it where this is not said. */
  atSalon?: string | undefined
  /** What cancelling after that costs, where it can be done. */ after?: string | undefined
  hold: Hold | null
}

export function TermsLine({ institute, at, total, atSalon, after, hold }: TermsLineProps) {
  const [now] = useState(Date.now)
  const { t } = useTranslation('booking')
  const until = useUntil()
  const freeUntil = hold ? hold.terms.freeUntil : freeUntilOf(at, institute.rules.cancelWindowHours)
  const isFreeStill = freeUntil !== null && parseInstant(freeUntil) > now
  return (
    <div className={styles.terms}>
      {isFreeStill && (
        <div className={styles.term}>
          <p className="strong">{until(freeUntil, institute.timeZone)}</p>
          <p className="small muted">{t('terms.free')}</p>
        </div>
      )}
      <div className={styles.term}>
        <p className="strong">{isFreeStill ? t('terms.after') : t('terms.now')}</p>
        <p className="small muted">{after ?? t('terms.byPhone')}</p>
      </div>
      <div className={styles.term}>
        <p className="strong">{t('terms.atSalon')}</p>
        <p className="small muted">{atSalon ?? t('terms.toPay', { total })}</p>
      </div>
    </div>
  )
}
