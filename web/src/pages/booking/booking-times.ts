// The free times of a new booking, as the chooser asks for them.
import { api } from '#/platform/api.ts'
import { dayOf, parseInstant } from '#/platform/time.ts'
import { staffOf, type Choice } from '#/features/cart/choice.ts'
import { queryKeys } from '#/query-keys.ts'

/** `opens`: this person can have nothing before that instant, as a test they have booked has to come first. */
export function bookingTimes(
  instituteId: string,
  { items, atHome }: Pick<Choice, 'items' | 'atHome'>,
  isClass: boolean,
  opens: { from: string; timeZone: string } | null = null,
) {
  const params = { id: instituteId }
  const cart = { service: items.map(({ serviceId }) => serviceId), staff: staffOf(items), ...(atHome && { atHome: 'true' as const }) }
  const firstDay = opens === null ? '' : dayOf(opens.from, opens.timeZone)
  const isLate = (startsAt: string): boolean => opens === null || parseInstant(startsAt) >= parseInstant(opens.from)
  const nextOn = async (day: string, signal: AbortSignal) =>
    (await api.nextTimes({ params, query: { ...cart, from: day, limit: opens === null ? 1 : 20 } }, { signal })).times
  return {
    isClass,
    key: [...queryKeys.availability.ofCart(instituteId, items, atHome), ...(opens === null ? [] : [opens.from])],
    days: async (start: string, days: number, signal: AbortSignal) =>
      (await api.availability({ params, query: { ...cart, from: start, days } }, { signal })).days.map((day) => ({
        ...day,
        times: day.times.filter(({ startsAt }) => isLate(startsAt)),
        taken: day.taken.filter(isLate),
      })),
    month: async (month: string, signal: AbortSignal) =>
      (await api.monthMap({ params, query: { ...cart, month } }, { signal })).days.map((day) => ({
        ...day,
        hasRoom: day.hasRoom && day.day >= firstDay,
      })),
    next: async (start: string, signal: AbortSignal) =>
      (await nextOn(start < firstDay ? firstDay : start, signal)).find(({ startsAt }) => isLate(startsAt))?.startsAt ?? null,
  }
}
