import { instituteCalls } from '@soigne/contract/institutes'
import { type Served, serve } from '#/platform/calls.ts'
import type { Parts } from '#/platform/parts.ts'
import { refuseField } from '#/platform/refuse.ts'
import { homeOf } from './home.ts'
import { institutePage } from './institute-page.ts'
import { searchInstitutes } from './service.ts'

export const instituteCallsServed = (parts: Pick<Parts, 'database' | 'clock'>): Served[] =>
  serve(instituteCalls, {
    searchInstitutes: async ({ query }, { locale }) => searchInstitutes(parts, query, locale),
    institute: async ({ params }, { locale }) => institutePage(parts, params.slug, locale),
    home: async ({ query: { lat, lon } }, { locale }) => {
      if ((lat === undefined) !== (lon === undefined)) throw refuseField(lat === undefined ? 'lat' : 'lon', 'required')
      return homeOf(parts, lat === undefined || lon === undefined ? null : { lat, lon }, locale)
    },
  })
