import { removedServiceCalls } from '@soigne/contract/removed-services'
import { visitForWire } from '#/features/appointments/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { planOfRemoval, removeService } from './service.ts'

export const removedServiceCallsServed = (context: AppContext): Served[] =>
  serve(removedServiceCalls, {
    visitServiceRemoval: async ({ params, query }, { scope, locale, idempotencyKey }) =>
      planOfRemoval(context, { scope, locale, idempotencyKey }, { id: params.id, ...query }),
    removeVisitService: async ({ params, body }, { scope, locale, idempotencyKey }) =>
      removeService(context, { scope, locale, idempotencyKey }, { id: params.id, ...body }, (visit, now) =>
        visitForWire(visit, locale, now),
      ),
  })
