// The free times of a new booking, as the chooser asks for them.
import { api } from '#/platform/api.ts'
import { staffOf, type Wish } from './choice.ts'
import type { TimeSource } from './day-times.ts'

export function availabilityKey(instituteId: string): readonly unknown[] {
  return ['availability', instituteId]
}

export function bookingTimes(instituteId: string, wishes: readonly Wish[]): TimeSource {
  const params = { id: instituteId }
  const cart = { service: wishes.map(({ serviceId }) => serviceId), staff: staffOf(wishes) }
  return {
    key: [...availabilityKey(instituteId), wishes],
    days: async (from, days, signal) => (await api.availability({ params, query: { ...cart, from, days } }, { signal })).days,
    month: async (month, signal) => (await api.monthMap({ params, query: { ...cart, month } }, { signal })).days,
    next: async (from, signal) =>
      (await api.nextTimes({ params, query: { ...cart, from, limit: 1 } }, { signal })).times[0]?.startsAt ?? null,
  }
}
