/** Whether what a service asks of its client is true at a start. */
import { addDays, addMonths, dateParts } from './days.ts'
import type { ClientFacts, Day, EpochMinute, InstituteDiary, CartLine, Prerequisite } from './model.ts'
import { dayOf, spanOfDay } from './wall-clock.ts'

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

/** When a service that another needs has to be over for a visit that starts at an instant: both ends hold. */
export function spanForTest(
  timeZone: string,
  { minHours, maxMonths }: { minHours: number; maxMonths: number },
  startsAt: EpochMinute,
): { from: EpochMinute; by: EpochMinute } {
  const day = dayOf(timeZone, startsAt)
  const back = addMonths(day, -maxMonths)
  // Six months before 31 March is 30 September, from which six months lead to 30 March only.
  const first = addMonths(back, maxMonths) < day ? addDays(back, 1) : back
  return { from: spanOfDay(timeZone, first).from, by: startsAt - minHours * 60 }
}
