// Whom and when one visit could move to: the starts as the time chooser asks for them, its own time counted as free.
import type { Appointment } from '@soigne/contract/appointments'
import type { Institute } from '@soigne/contract/institutes'
import { api } from '#/platform/api.ts'
import { addDays, dayOf } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { addMonths } from '#/ui/calendar-days.ts'

/** The most days one call answers. */
const mostDays = 31

/** Null is who does it now, else anyone or one person by id. */
export type WishedStaff = string | null

/** The others who do everything of a visit and can be booked. A class is given by whom it is given. */
export function othersFor({ segments }: Pick<Appointment, 'segments'>, { services, team }: Pick<Institute, 'services' | 'team'>) {
  const booked = segments.map(({ serviceId }) => services.find(({ _id }) => _id === serviceId))
  return team.filter(
    ({ _id, bookableOnline }) =>
      bookableOnline &&
      segments.some(({ staffId }) => staffId !== _id) &&
      booked.every((service) => service && service.capacity === undefined && service.performers.some(({ staffId }) => staffId === _id)),
  )
}

export function moveTimes(id: string, timeZone: string, staff: WishedStaff = null) {
  async function days(from: string, count: number, signal: AbortSignal) {
    return (await api.rescheduleTimes({ params: { id }, query: { from, days: count, ...(staff !== null && { staff }) } }, { signal })).days
  }
  return {
    key: queryKeys.moveTimes(id, ...(staff === null ? [] : [staff])),
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
