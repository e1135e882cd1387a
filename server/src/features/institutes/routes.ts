import { instituteCalls } from '@soigne/contract/institutes'
import { type Served, serve } from '#/platform/calls.ts'
import { searchInstitutes } from '#/features/search/service.ts'
import { openMending } from '#/features/summary/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { onlyReading, searching } from '#/platform/database.ts'
import { refuseField } from '#/platform/refuse.ts'
import { homeOf } from './home.ts'
import { institutePage } from './institute-page.ts'

export const instituteCallsServed = (context: Pick<AppContext, 'database' | 'clock' | 'payments' | 'log' | 'patienceMs'>): Served[] => {
  const reading = onlyReading(context)
  const [connections, mending] = [searching(context), openMending(context)]
  return serve(instituteCalls, {
    searchInstitutes: async ({ query }, { locale }) => searchInstitutes({ ...connections, mending }, query, locale),
    institute: async ({ params }, { locale }) => institutePage(reading, params.slug, locale),
    home: async ({ query: { lat, lon } }, { locale }) => {
      if ((lat === undefined) !== (lon === undefined)) throw refuseField(lat === undefined ? 'lat' : 'lon', 'required')
      return homeOf(reading, lat === undefined || lon === undefined ? null : { lat, lon }, locale)
    },
  })
}
