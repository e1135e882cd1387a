import { exportCalls } from '@soigne/contract/exports'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { exportOf } from './service.ts'

export const exportCallsServed = (context: AppContext): Served[] =>
  serve(exportCalls, {
    exportInstitute: async ({ body }, { scope, locale }) => exportOf(context, scope, { ...body, locale }),
  })
