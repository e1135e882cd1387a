/** Places to search near: towns of the embedded gazetteer. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { latitude, longitude, searchText } from './wire.ts'

const place = z.object({
  _id: z.string(),
  /** In the caller's language where the gazetteer has it. */
  name: z.string(),
  region: z.nullable(z.string()),
  country: z.string(),
  countryCode: z.string(),
  lat: z.number(),
  lon: z.number(),
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
    summary: 'Places whose name in English, French or Arabic begins with or resembles the text',
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
