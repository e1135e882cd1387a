// One visit in words: what, with whom, how long, when.
import type { Appointment } from '@soigne/contract/appointments'
import { useMemo } from 'react'
import { useList } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { dayOf, daysBetween, minutesBetween, useTimes } from '#/platform/time.ts'

type Lines = Pick<Appointment, 'segments'>
type Span = { startsAt: string; endsAt: string }

export function minutesOf({ startsAt, endsAt }: Span): number {
  return minutesBetween(startsAt, endsAt)
}

export function memberNames({ segments }: Lines): string[] {
  return [...new Set(segments.map(({ staffName }) => staffName))]
}

export function useVisitTexts() {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const list = useList()
  return useMemo(() => {
    function moment(instant: string, timeZone: string) {
      const day = dayOf(instant, timeZone)
      const ahead = daysBetween(dayOf(Date.now(), timeZone), day)
      return { ahead, day: times.day(day, timeZone, 'within'), time: times.time(instant, timeZone) }
    }
    return {
      /** Gel manicure and Hand massage. */
      services: ({ segments }: Lines) => list([...new Set(segments.map(({ serviceName }) => serviceName))]),
      members: (visit: Lines) => list(memberNames(visit)),
      duration: (span: Span) => times.duration(minutesOf(span)),
      /** Today at 16:40. */
      when: (instant: string, timeZone: string) =>
        t('dayAtTime', { day: times.day(dayOf(instant, timeZone), timeZone, 'long'), time: times.time(instant, timeZone) }),
      /** 16:40 today: inside a sentence. */
      whenInside(instant: string, timeZone: string) {
        const { ahead, day, time } = moment(instant, timeZone)
        if (ahead === 0) return t('todayAtTime', { time })
        return ahead === 1 ? t('tomorrowAtTime', { time }) : t('onDayAtTime', { day, time })
      },
      /** Free until 16:40 today: French has other words before a day than before tomorrow. */
      until(what: 'free' | 'then' | 'only', instant: string, timeZone: string) {
        const { ahead, day, time } = moment(instant, timeZone)
        if (ahead === 0) return t(`until.${what}Today`, { time })
        return ahead === 1 ? t(`until.${what}Tomorrow`, { time }) : t(`until.${what}`, { day, time })
      },
    }
  }, [t, times, list])
}
