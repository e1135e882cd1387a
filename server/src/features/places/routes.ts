import { placeCalls } from '@soigne/contract/places'
import { type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { nearestPlace, searchPlaces } from './service.ts'

export const placeCallsServed = ({ database }: Pick<AppContext, 'database'>): Served[] =>
  serve(placeCalls, {
    places: async ({ query }, { locale }) => {
      const near = query.lat !== undefined && query.lon !== undefined ? { near: { lat: query.lat, lon: query.lon } } : {}
      return { items: await searchPlaces(database.reading.db, { q: query.q, limit: query.limit, locale, ...near }) }
    },
    nearestPlace: async ({ query }, { locale }) => nearestPlace(database.reading.db, { lat: query.lat, lon: query.lon }, locale),
  })
