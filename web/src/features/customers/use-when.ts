// When somebody came or comes, in words; a day of another year says its year.
import { dayOf, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'

export type Place = { timeZone: string; now: string }

/** A day in a year nobody looks at. */
const leapYear = 2024

export function useWhen() {
  const { t } = useTranslation('customers')
  const times = useTimes()
  const day = (instant: string, { timeZone, now }: Place): string => {
    const [date, today] = [dayOf(instant, timeZone), dayOf(now, timeZone)]
    const text = times.day(date, timeZone, 'short', Date.parse(now))
    return date.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${date.slice(0, 4)}`
  }
  return {
    day,
    time: times.time,
    month: (instant: string, { timeZone }: Place) => times.month(dayOf(instant, timeZone)),
    /** Today, 16:40. */
    moment: (instant: string, place: Place) => t('dayAndTime', { day: day(instant, place), time: times.time(instant, place.timeZone) }),
    /** 2 June. */
    birthday: (date: string) => {
      const [, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
      const format = new Intl.DateTimeFormat(`${times.locale}-u-nu-latn`, { day: 'numeric', month: 'long', timeZone: 'UTC' })
      return format.format(Date.UTC(leapYear, month - 1, dayOfMonth))
    },
    /** The first letter of a month, and its name. */
    monthLetter: (month: string) => {
      const at = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1)
      const of = (style: 'narrow' | 'long') =>
        new Intl.DateTimeFormat(`${times.locale}-u-nu-latn`, { month: style, timeZone: 'UTC' }).format(at)
      return { letter: of('narrow'), name: of('long') }
    },
  }
}
