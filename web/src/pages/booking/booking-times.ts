// The free times of a new booking, as the chooser asks for them.
import { api } from '#/platform/api.ts'
import { staffOf, type Choice } from '#/features/cart/choice.ts'
import { firstAllowed, isAllowed, isDayAllowed, type Allowed } from '#/features/cart/needs.ts'
import { queryKeys } from '#/query-keys.ts'

/** `allowed`: what the tests leave that this person has had or has booked. */
export function bookingTimes(
  instituteId: string,
  { items, atHome }: Pick<Choice, 'items' | 'atHome'>,
  isClass: boolean,
  allowed: Allowed | null = null,
) {
  const params = { id: instituteId }
  const cart = { service: items.map(({ serviceId }) => serviceId), staff: staffOf(items), ...(atHome && { atHome: 'true' as const }) }
  const firstDay = allowed === null ? '' : firstAllowed(allowed)
  const isOpen = (startsAt: string): boolean => allowed === null || isAllowed(allowed, startsAt)
  const nextOn = async (day: string, signal: AbortSignal) =>
    (await api.nextTimes({ params, query: { ...cart, from: day, limit: allowed === null ? 1 : 20 } }, { signal })).times
  return {
    isClass,
    key: [
      ...queryKeys.availability.ofCart(instituteId, items, atHome),
      ...(allowed === null ? [] : allowed.windows.flat().flatMap(({ from, lastDay }) => [from, lastDay])),
    ],
    days: async (start: string, days: number, signal: AbortSignal) =>
      (await api.availability({ params, query: { ...cart, from: start, days } }, { signal })).days.map((day) => ({
        ...day,
        times: day.times.filter(({ startsAt }) => isOpen(startsAt)),
        taken: day.taken.filter(isOpen),
      })),
    month: async (month: string, signal: AbortSignal) =>
      (await api.monthMap({ params, query: { ...cart, month } }, { signal })).days.map((day) => ({
        ...day,
        hasRoom: day.hasRoom && (allowed === null || isDayAllowed(allowed, day.day)),
      })),
    next: async (start: string, signal: AbortSignal) =>
      (await nextOn(start < firstDay ? firstDay : start, signal)).find(({ startsAt }) => isOpen(startsAt))?.startsAt ?? null,
  }
}
