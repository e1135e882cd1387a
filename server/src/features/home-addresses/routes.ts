import { homeAddressCalls } from '@soigne/contract/home-addresses'
import { visitForWire } from '#/features/appointments/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { correctHomeOf } from './service.ts'

export const homeAddressCallsServed = (context: AppContext): Served[] =>
  serve(homeAddressCalls, {
    correctHome: async ({ params, body }, { scope, locale, idempotencyKey }) =>
      correctHomeOf(context, { scope, locale, idempotencyKey }, { id: params.id, ...body }, (visit, now) =>
        visitForWire(visit, locale, now),
      ),
  })
