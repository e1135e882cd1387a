// Institutes as the cards of a list, in the caller's language.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Audience, Category, Language, Locale, Money } from '@soigne/contract/wire'
import type { Offer } from '@soigne/scheduling/model'
import { minuteText } from '#/platform/instants.ts'
import { localised } from '#/texts/translate.ts'
import type { AskedService } from './asked-service.ts'
import type { InstituteRow } from './store.ts'

export interface Match {
  row: InstituteRow
  service: AskedService | null
  times: readonly Offer[]
  /** They are of visits at the client's home. */
  isAtHome?: boolean
}

const tenths = (kilometres: number): number => Math.round(kilometres * 10) / 10

export function cardOf({ row, service, times, isAtHome = false }: Match, locale: Locale): InstituteCard {
  const moneyOf = (amount: number | null | undefined): Money | null => (amount == null ? null : { amount, currency: row.currency })
  return {
    _id: row.id,
    slug: row.slug,
    name: row.name,
    categories: row.categories as Category[],
    location: { lat: row.lat, lon: row.lon },
    quarter: row.quarter,
    city: row.city,
    countryCode: row.countryCode,
    timeZone: row.timeZone,
    distanceKm: row.distanceKm === null ? null : tenths(row.distanceKm),
    priceFrom: moneyOf(service?.priceFrom),
    rating: { average: row.rating ?? 0, count: row.ratingCount },
    claimed: row.claimed,
    audience: row.audience as Audience[],
    languages: row.languages as Language[],
    atHome: row.atHome,
    coverUrl: row.coverUrl,
    service: service && {
      _id: service.id,
      name: localised(service.name, locale) ?? '',
      durationMinutes: service.durationMinutes,
      priceTo: moneyOf(service.priceTo),
      ...(isAtHome && { atHome: true }),
    },
    nextTimes: times.map(({ startsAt }) => ({ startsAt: minuteText(startsAt) })),
  }
}
