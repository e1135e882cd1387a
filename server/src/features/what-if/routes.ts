import { whatIfCalls } from '@soigne/contract/what-if'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { whatIf } from './service.ts'

export const whatIfCallsServed = (context: AppContext): Served[] =>
  serve(whatIfCalls, {
    whatIf: async ({ body }, { scope, locale }) => whatIf(context, scope, body, locale),
  })
