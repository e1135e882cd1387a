/** Institutes that a person marked. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { instituteCard } from './institutes.ts'
import { id, pageOf, pageQuery } from './wire.ts'

/** Marking institutes, and finding them again. */
export const favouriteCalls = defineCalls({
  toggleFavourite: {
    method: 'POST',
    path: '/api/v1/secure/client/favorites/institute/:id',
    access: { of: 'self' },
    tag: 'favourites',
    summary: 'Mark an institute, or take the mark away; with `favourite` it ends as said, however often it is sent',
    params: z.object({ id }),
    query: z.object({ favourite: z.optional(z.enum(['true', 'false'])) }),
    answer: z.object({ message: z.string(), isFavourite: z.boolean() }),
  },
  favourites: {
    method: 'GET',
    path: '/api/v1/secure/client/favorites/institutes',
    access: { of: 'self' },
    tag: 'favourites',
    summary:
      'The institutes I marked, the last first, each with its next free times; with `free=today` those that have a time today, of all of them',
    query: z.object({ ...pageQuery, free: z.optional(z.enum(['today'])) }),
    answer: pageOf(instituteCard),
  },
  favouriteIds: {
    method: 'GET',
    path: '/api/v1/secure/client/favorites/ids',
    access: { of: 'self' },
    tag: 'favourites',
    summary: 'Which institutes I marked, for the hearts of a page',
    answer: z.object({ ids: z.array(z.string()) }),
  },
})
