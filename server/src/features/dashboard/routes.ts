import { dashboardCalls } from '@soigne/contract/dashboard'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { dashboardOf, figuresOf } from './service.ts'

export const dashboardCallsServed = (context: AppContext): Served[] =>
  serve(dashboardCalls, {
    dashboard: async (_input, { scope, locale }) => dashboardOf(context, scope, locale),
    dashboardFigures: async ({ query }, { scope, locale }) => figuresOf(context, scope, query.period, locale),
  })
