import { gapCalls } from '@soigne/contract/gaps'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { gapsOf, offerGap } from './service.ts'

export const gapCallsServed = (context: AppContext): Served[] =>
  serve(gapCalls, {
    gaps: async (_input, { scope, locale }) => gapsOf(context, scope, locale),
    offerGap: async ({ body }, { scope }) => offerGap(context, scope, body),
  })
