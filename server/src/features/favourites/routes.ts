import { favouriteCalls } from '@soigne/contract/favourites'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { favouriteIdsOf, favouritesOf, toggleFavourite } from './service.ts'

export const favouriteCallsServed = (context: AppContext): Served[] =>
  serve(favouriteCalls, {
    async toggleFavourite({ params, query }, { scope, locale }) {
      const favourite = query.favourite === undefined ? null : query.favourite === 'true'
      const isFavourite = await toggleFavourite(context, scope, { instituteId: params.id, favourite })
      return { message: translate(locale, 'messages', isFavourite ? 'favouriteSet' : 'favouriteTaken'), isFavourite }
    },
    favourites: async ({ query }, { scope, locale }) => favouritesOf(context, scope, query, locale),
    favouriteIds: async (_input, { scope }) => ({ ids: await favouriteIdsOf(context, scope) }),
  })
