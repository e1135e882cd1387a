import { instituteCalls } from '@soigne/contract/institutes'
import { type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuseField } from '#/platform/refuse.ts'
import { homeOf } from './home.ts'
import { institutePage } from './institute-page.ts'
import { searchInstitutes } from './service.ts'

export const instituteCallsServed = (context: Pick<AppContext, 'database' | 'clock'>): Served[] =>
  serve(instituteCalls, {
    searchInstitutes: async ({ query }, { locale }) => searchInstitutes(context, query, locale),
    institute: async ({ params }, { locale }) => institutePage(context, params.slug, locale),
    home: async ({ query: { lat, lon } }, { locale }) => {
      if ((lat === undefined) !== (lon === undefined)) throw refuseField(lat === undefined ? 'lat' : 'lon', 'required')
      return homeOf(context, lat === undefined || lon === undefined ? null : { lat, lon }, locale)
    },
  })
