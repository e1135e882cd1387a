// Where a town is that was typed and not chosen.
import type { Institute } from '@soigne/contract/institutes'
import type { Place } from '@soigne/contract/places'
import { api } from '#/platform/api.ts'
import { kilometres } from './home-address.ts'

/** Of all places called so, the one that is nearest to the institute. */
export async function findPlace(city: string, near: Institute['location']): Promise<Pick<Place, 'lat' | 'lon'> | null> {
  const { items } = await api.places({ query: { q: city, limit: 8, ...near } })
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const called = items.filter(({ name }) => plain(name) === plain(city))
  const [first] = (called.length > 0 ? called : items.slice(0, 1)).toSorted((a, b) => kilometres(near, a) - kilometres(near, b))
  return first ?? null
}
