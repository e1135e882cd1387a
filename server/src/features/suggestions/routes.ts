import { suggestionCalls } from '@soigne/contract/suggestions'
import { type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { suggest } from './service.ts'

export const suggestionCallsServed = ({ database }: Pick<AppContext, 'database'>): Served[] =>
  serve(suggestionCalls, {
    suggestions: async ({ query }, { locale }) => ({ items: await suggest(database.reading.db, query.q, locale) }),
  })
