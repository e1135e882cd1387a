// How often each service of a menu was booked, as the product counts it once a day.
import type { InstituteRows, VisitRows } from './tables.ts'

/** Ranks the services by their visits; the demo makes none older than the product counts. */
export function rankServices({ services }: InstituteRows, { appointments, segments }: VisitRows): void {
  const booked = new Set(appointments.filter(({ life }) => life === 'booked').map(({ id }) => id))
  const visits = new Map<string, number>()
  for (const { appointment_id: id, service_id: service } of segments)
    if (booked.has(id)) visits.set(service, (visits.get(service) ?? 0) + 1)
  const counts = [...visits.values()]
  for (const service of services) {
    const count = visits.get(service.id)
    service.booked_rank = count === undefined ? null : 1 + counts.filter((other) => other > count).length
  }
}
