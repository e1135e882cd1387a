// When something happens, inside a sentence: 16:40 today, 16:40 tomorrow, Friday 28 November at 16:40.
import { dayOf, daysBetween, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'

export function useWhen(): (instant: string, timeZone: string) => string {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  return (instant, timeZone) => {
    const day = dayOf(instant, timeZone)
    const time = times.time(instant, timeZone)
    const ahead = daysBetween(dayOf(Date.now(), timeZone), day)
    if (ahead === 0) return t('todayAtTime', { time })
    return ahead === 1 ? t('tomorrowAtTime', { time }) : t('onDayAtTime', { day: times.day(day, timeZone, 'within'), time })
  }
}
