// Hours of open data as the wizard edits them: within each day, to the minute.
import { type OpeningWeek, mostRanges } from '@soigne/contract/setup'
import { type Weekday, weekdays } from '@soigne/contract/wire'

const wall = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** What runs past midnight ends there. */
export function weekOfHours(hours: readonly { weekday: number; opensAt: number; closesAt: number }[]): OpeningWeek {
  const day = (at: number) =>
    hours
      .filter(({ weekday }) => weekday === at + 1)
      .slice(0, mostRanges)
      .map(({ opensAt, closesAt }) => ({ opensAt: wall(opensAt), closesAt: wall(Math.min(1440, closesAt)) }))
  return Object.fromEntries(weekdays.map((weekday, at) => [weekday, day(at)])) as Record<Weekday, ReturnType<typeof day>>
}
