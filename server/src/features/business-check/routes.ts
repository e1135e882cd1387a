import { businessCheckCalls } from '@soigne/contract/business-check'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { businessCheckOf, sendCheck, withdrawCheck } from './service.ts'

export const businessCheckCallsServed = (context: AppContext): Served[] =>
  serve(businessCheckCalls, {
    businessCheck: async (_input, { scope }) => businessCheckOf(context, scope),
    sendBusinessCheck: async ({ body, files }, { scope }) => sendCheck(context, scope, { body, documents: files.documents }),
    withdrawBusinessCheck: async (_input, { scope }) => withdrawCheck(context, scope),
  })
