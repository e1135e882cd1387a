// Starts that would be free if nobody had booked: they show how busy a day is.
import type { Asking, CartLine, Day, DayOffers, EpochMinute, InstituteDiary } from '@soigne/scheduling/model'
import { offersForDays } from '@soigne/scheduling/offers'

/** More than a screen shows. */
const mostOfDay = 100

// The gap rule hides starts that nobody has taken, so it stays out of the comparison.
const withoutGaps = (diary: InstituteDiary): InstituteDiary => ({ ...diary, rules: { ...diary.rules, gaps: 'off' } })

const withoutVisits = (diary: InstituteDiary): InstituteDiary => ({
  ...diary,
  members: diary.members.map((member) => ({ ...member, busy: [] })),
  resources: diary.resources.map((resource) => ({ ...resource, busy: [] })),
  sessions: diary.sessions?.map((session) => ({ ...session, taken: 0 })),
})

/** By day, in order: the starts an empty diary would offer and this one does not; `offers` are what it does offer on these days. */
export function takenTimes(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking & { fromDay: Day; days: number },
  offers: readonly DayOffers[],
): Map<Day, EpochMinute[]> {
  const taken = new Map<Day, EpochMinute[]>()
  const full = withoutGaps(diary)
  const possible = diary.rules.gaps === 'hide' ? offersForDays(full, cart, asking) : offers
  const free = new Set(possible.flatMap(({ times }) => times.map(({ startsAt }) => startsAt)))
  for (const { day, times } of offersForDays(withoutVisits(full), cart, asking)) {
    taken.set(
      day,
      times
        .map(({ startsAt }) => startsAt)
        .filter((startsAt) => !free.has(startsAt))
        .slice(0, mostOfDay),
    )
  }
  return taken
}
