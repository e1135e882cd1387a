/** Places to search near: towns of the embedded gazetteer, and quarters and postcodes where institutes are. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { latitude, longitude, searchText } from './wire.ts'

/** A place to search near. Coordinates in degrees (WGS 84), the zone as an IANA name. */
export const place = z.object({
  _id: z.string(),
  kind: z.enum(['town', 'quarter', 'postcode']),
  /** In the caller's language where it is known. */
  name: z.string(),
  /** The town of a quarter or a postcode. */
  region: z.nullable(z.string()),
  country: z.string(),
  countryCode: z.string(),
  lat: z.number(),
  lon: z.number(),
  /** How far around it people look, unless they say otherwise. */
  radiusKm: z.number(),
  timeZone: z.string(),
})
export type Place = z.output<typeof place>

/** Searching places and naming a point. */
export const placeCalls = defineCalls({
  places: {
    method: 'GET',
    path: '/api/v1/client/places',
    access: 'public',
    tag: 'places',
    summary:
      'Towns, quarters and postcodes whose name begins with or resembles the text, in Latin, Arabic or Cyrillic script; those with institutes first',
    query: z.object({
      q: searchText(80),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 8),
      lat: z.optional(latitude),
      lon: z.optional(longitude),
    }),
    answer: z.object({ items: z.array(place) }),
  },
  nearestPlace: {
    method: 'GET',
    path: '/api/v1/client/places/nearest',
    access: 'public',
    tag: 'places',
    summary: 'The town nearest to a point',
    query: z.object({ lat: latitude, lon: longitude }),
    answer: place,
  },
})
