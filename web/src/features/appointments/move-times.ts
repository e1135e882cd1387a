// The starts one visit could move to, as the time chooser asks for them; its own time counts as free.
import { api } from '#/platform/api.ts'
import { addDays, dayOf } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { addMonths } from '#/ui/calendar-days.ts'

/** The most days one call answers. */
const mostDays = 31

/** With who does it now, or with anyone. */
export function moveTimes(id: string, timeZone: string, withAnyone = false) {
  const staff = withAnyone ? (['any'] as const) : []
  async function days(from: string, count: number, signal: AbortSignal) {
    return (
      await api.rescheduleTimes({ params: { id }, query: { from, days: count, ...(withAnyone && { staff: 'any' as const }) } }, { signal })
    ).days
  }
  return {
    key: queryKeys.moveTimes(id, ...staff),
    days,
    async month(month: string, signal: AbortSignal) {
      const today = dayOf(Date.now(), timeZone)
      const first = `${month}-01`
      const last = addDays(`${addMonths(month, 1)}-01`, -1)
      const from = first < today ? today : first
      if (from > last) return []
      const found = await days(from, Number(last.slice(8)) - Number(from.slice(8)) + 1, signal)
      return found.map(({ day, times }) => ({ day, hasRoom: times.length > 0 }))
    },
    async next(from: string, signal: AbortSignal) {
      const found = await days(from, mostDays, signal)
      return found.flatMap(({ times }) => times)[0]?.startsAt ?? null
    },
  }
}
