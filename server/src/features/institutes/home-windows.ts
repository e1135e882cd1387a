// The windows of the home page: for each category the next treatment of that very category that is free today.
import type { Category, Locale, Money } from '@soigne/contract/wire'
import { type Instant, minuteOf } from '@soigne/contract/time'
import type { EpochMinute } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { earliestOf, leadingServices, type LoadedInstitute } from '#/features/availability/service.ts'
import { minuteText } from '#/platform/instants.ts'
import { localised } from '#/texts/translate.ts'
import { serviceOfCard } from './asked-service.ts'

export interface HomeWindow {
  category: Category
  startsAt: string
  timeZone: string
  institute: { slug: string; name: string }
  service: { _id: string; name: string; price: Money | null; priceTo: Money | null }
}

interface Free {
  loaded: LoadedInstitute
  serviceId: string
  startsAt: EpochMinute
}

/** When an institute is free today for what it leads with in a category, or else for another treatment of it. */
function freeToday(loaded: LoadedInstitute, category: string, now: Instant): Free | null {
  const [first, ...others] = leadingServices(loaded, (service) => service.category === category)[0] ?? []
  if (first === undefined) return null
  const today = dayOf(loaded.diary.timeZone, minuteOf(now))
  const earliest = earliestOf(loaded, [[first], others], { now, day: today, limit: 1 }, 1)
  const [serviceId, startsAt] = [earliest?.cart[0]?.serviceId, earliest?.times[0]?.startsAt]
  return serviceId === undefined || startsAt === undefined ? null : { loaded, serviceId, startsAt }
}

function windowOf(category: string, { loaded, serviceId, startsAt }: Free, locale: Locale): HomeWindow | null {
  const service = serviceOfCard(loaded, serviceId, startsAt)
  if (!service) return null
  const { slug, name, timeZone, currency } = loaded.institute
  const moneyOf = (amount: number | null): Money | null => (amount === null ? null : { amount, currency })
  return {
    category: category as Category,
    startsAt: minuteText(startsAt),
    timeZone,
    institute: { slug, name },
    service: {
      _id: serviceId,
      name: localised(service.name, locale) ?? '',
      price: moneyOf(service.priceFrom),
      priceTo: moneyOf(service.priceTo),
    },
  }
}

/** One for each category that is free today, the soonest first; of institutes free at one time the first given. */
export function windowsOf(near: readonly LoadedInstitute[], now: Instant, locale: Locale): HomeWindow[] {
  const best = new Map<string, Free>()
  for (const loaded of near) {
    for (const category of new Set([...loaded.serviceDetails.values()].map((service) => service.category))) {
      const free = freeToday(loaded, category, now)
      const known = best.get(category)
      if (free && (!known || free.startsAt < known.startsAt)) best.set(category, free)
    }
  }
  return [...best]
    .sort(([one, a], [other, b]) => a.startsAt - b.startsAt || (one < other ? -1 : 1))
    .flatMap(([category, free]) => windowOf(category, free, locale) ?? [])
}
