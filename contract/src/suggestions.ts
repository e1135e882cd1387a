/** What somebody who types may want: a category, a service or an institute. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { category, searchText } from './wire.ts'

/** No answer has more. */
export const mostSuggestions = 8

/** One suggestion. A category filters, a service is a word to search by, an institute has a page. */
export const suggestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('category'), category }),
  z.object({
    kind: z.literal('service'),
    /** In the caller's language, or in that of the text where only that one begins so. */
    name: z.string(),
  }),
  z.object({ kind: z.literal('institute'), slug: z.string(), name: z.string(), city: z.string() }),
])
export type Suggestion = z.output<typeof suggestion>

/** Suggesting what to search for. */
export const suggestionCalls = defineCalls({
  suggestions: {
    method: 'GET',
    path: '/api/v1/client/search/suggestions',
    access: 'public',
    tag: 'institutes',
    summary:
      'Up to eight categories, services that can be booked and institutes whose words begin with or resemble the text, from two letters on',
    query: z.object({ q: searchText(120) }),
    answer: z.object({ items: z.array(suggestion).check(z.maxLength(mostSuggestions)) }),
  },
})
