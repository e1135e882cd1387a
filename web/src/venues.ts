// Where services can be done together.
import type { Service } from '@soigne/contract/institutes'
import type { Venue } from '@soigne/contract/wire'

/** What is done in the salon alone and at home alone is in no visit together. */
export function venueOf(services: readonly Pick<Service, 'venue'>[]): Venue | 'apart' {
  const venues = new Set(services.map(({ venue = 'salon' }) => venue))
  if (venues.has('home') && venues.has('salon')) return 'apart'
  return venues.has('salon') || venues.size === 0 ? 'salon' : venues.has('home') ? 'home' : 'either'
}
