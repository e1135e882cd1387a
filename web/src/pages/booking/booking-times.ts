// The free times of a new booking, as the chooser asks for them.
import { api } from '#/platform/api.ts'
import { staffOf, type Choice } from '#/features/cart/choice.ts'
import { queryKeys } from '#/query-keys.ts'

export function bookingTimes(instituteId: string, { items, atHome }: Pick<Choice, 'items' | 'atHome'>, isClass: boolean) {
  const params = { id: instituteId }
  const cart = { service: items.map(({ serviceId }) => serviceId), staff: staffOf(items), ...(atHome && { atHome: 'true' as const }) }
  return {
    isClass,
    key: queryKeys.availability.ofCart(instituteId, items, atHome),
    days: async (from: string, days: number, signal: AbortSignal) =>
      (await api.availability({ params, query: { ...cart, from, days } }, { signal })).days,
    month: async (month: string, signal: AbortSignal) => (await api.monthMap({ params, query: { ...cart, month } }, { signal })).days,
    next: async (from: string, signal: AbortSignal) =>
      (await api.nextTimes({ params, query: { ...cart, from, limit: 1 } }, { signal })).times[0]?.startsAt ?? null,
  }
}
