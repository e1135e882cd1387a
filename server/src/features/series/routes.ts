import { seriesCalls } from '@soigne/contract/series'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { cancelFrom, makeSeries, planSeries, seriesOf } from './service.ts'

export const seriesCallsServed = (context: AppContext): Served[] =>
  serve(seriesCalls, {
    seriesPlan: async ({ params, query }, { scope, locale, idempotencyKey }) =>
      planSeries(context, { scope, locale, idempotencyKey }, { id: params.id, ...query }),
    makeSeries: async ({ params, body }, { scope, locale, idempotencyKey }) =>
      makeSeries(context, { scope, locale, idempotencyKey }, { id: params.id, ...body }),
    series: async ({ params }, { scope, locale, idempotencyKey }) => seriesOf(context, { scope, locale, idempotencyKey }, params.id),
    cancelSeries: async ({ params }, { scope, locale, idempotencyKey }) =>
      cancelFrom(context, { scope, locale, idempotencyKey }, params.id),
  })
