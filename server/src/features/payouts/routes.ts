import { payoutCalls } from '@soigne/contract/payouts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { payoutFile } from './exporting.ts'
import { payoutsOf, readPayout } from './service.ts'

export const payoutCallsServed = (context: AppContext): Served[] =>
  serve(payoutCalls, {
    payouts: async ({ query }, { scope }) => payoutsOf(context, scope, query),
    payout: async ({ params }, { scope }) => readPayout(context, scope, params.id),
    payoutFile: async ({ params }, { scope, locale }) => payoutFile(context, scope, params.id, locale),
  })
