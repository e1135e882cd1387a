/** Whether what a service asks of its client is true at a start. */
import { addMonths, dateParts } from './days.ts'
import type { ClientFacts, Day, EpochMinute, InstituteDiary, CartLine, Prerequisite } from './model.ts'
import { dayOf } from './wall-clock.ts'

/** Completed years of age on a day; someone born on 29 February completes a year on 1 March where there is no 29th. */
export function ageOn(birthday: Day, day: Day): number {
  const born = dateParts(birthday)
  const on = dateParts(day)
  const before = on.month < born.month || (on.month === born.month && on.date < born.date)
  return on.year - born.year - (before ? 1 : 0)
}

/** Whether one prerequisite holds for a visit that starts at an instant; an unknown birthday does not prove an age. */
export function prerequisiteHolds(timeZone: string, prerequisite: Prerequisite, client: ClientFacts, startsAt: EpochMinute): boolean {
  if (prerequisite.kind === 'minimum_age') {
    return client.birthday !== undefined && ageOn(client.birthday, dayOf(timeZone, startsAt)) >= prerequisite.years
  }
  return client.visits.some(
    (visit) =>
      visit.serviceId === prerequisite.serviceId &&
      visit.endsAt + prerequisite.minHours * 60 <= startsAt &&
      addMonths(dayOf(timeZone, visit.endsAt), prerequisite.maxMonths) >= dayOf(timeZone, startsAt),
  )
}

/** The prerequisites of all services of a cart, each with its line. */
export function prerequisitesOf(diary: InstituteDiary, cart: readonly CartLine[]): readonly { line: number; prerequisite: Prerequisite }[] {
  return cart.flatMap(({ serviceId }, line) =>
    (diary.services.get(serviceId)?.prerequisites ?? []).map((prerequisite) => ({ line, prerequisite })),
  )
}
