// When somebody came or comes, in words; a day of another year says its year.
import { monthLetter, plannedDayText, yearlyDayText } from '#/platform/dashboard-time.ts'
import { dayOf, parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'

export type Place = { timeZone: string; now: string }

export function useWhen() {
  const { t } = useTranslation('customers')
  const times = useTimes()
  const day = (instant: string, { timeZone, now }: Place): string => {
    const [date, today] = [dayOf(instant, timeZone), dayOf(now, timeZone)]
    const text = times.day(date, timeZone, 'short', parseInstant(now))
    return date.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${date.slice(0, 4)}`
  }
  return {
    day,
    time: times.time,
    month: (instant: string, { timeZone }: Place) => times.month(dayOf(instant, timeZone)),
    /** The day within a sentence. */
    within: (instant: string, { timeZone }: Place) => plannedDayText(dayOf(instant, timeZone), times.locale),
    /** Today, 16:40. */
    moment: (instant: string, place: Place) => t('dayAndTime', { day: day(instant, place), time: times.time(instant, place.timeZone) }),
    /** 2 June. */
    birthday: (date: string) => yearlyDayText(date, times.locale),
    /** The first letter of a month such as 2026-11, and its name. */
    monthLetter: (month: string) => ({ letter: monthLetter(`${month}-01`, times.locale), name: times.month(`${month}-01`) }),
  }
}
