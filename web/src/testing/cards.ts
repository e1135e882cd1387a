// Institutes as the search and the home page answer them, for component tests.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Category } from '@soigne/contract/wire'

/** A Thursday at 11:00 in Lyon. */
export const cardsNow = Date.parse('2026-11-19T10:00:00Z')

export const nacreCard: InstituteCard = {
  _id: '019b0000-0000-7000-8000-0000000000ff',
  slug: 'atelier-nacre',
  name: 'Atelier Nacre',
  categories: ['nails'],
  location: { lat: 45.7752, lon: 4.8331 },
  quarter: 'Croix-Rousse',
  city: 'Lyon',
  countryCode: 'FR',
  timeZone: 'Europe/Paris',
  distanceKm: 0.42,
  priceFrom: { amount: 2800, currency: 'EUR' },
  rating: { average: 4.9, count: 218 },
  claimed: true,
  audience: ['All'],
  languages: ['English', 'French'],
  atHome: true,
  coverUrl: '/art/cover/nails/atelier-nacre.svg',
  service: {
    _id: '019b0000-0000-7000-8000-000000000001',
    name: 'Gel manicure',
    durationMinutes: 40,
    priceTo: { amount: 2800, currency: 'EUR' },
  },
  nextTimes: [{ startsAt: '2026-11-19T13:20:00Z' }, { startsAt: '2026-11-19T15:40:00Z' }, { startsAt: '2026-11-20T08:20:00Z' }],
}

/** Another institute of a category, free first at the given instant. */
export function cardOf(category: Category, startsAt: string, name: string = category): InstituteCard {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return { ...nacreCard, _id: slug, slug, name, categories: [category], nextTimes: [{ startsAt }] }
}

/** A window of home: a treatment of a category that is free at the given instant. */
export function windowOf(category: Category, startsAt: string): Answer<Calls['home']>['windows'][number] {
  const { slug, name, timeZone, priceFrom } = nacreCard
  const price = priceFrom
  return {
    category,
    startsAt,
    timeZone,
    institute: { slug, name },
    service: { _id: category, name: `Best ${category}`, price, priceTo: price },
  }
}
