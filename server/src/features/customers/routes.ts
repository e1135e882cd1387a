import { customerCalls } from '@soigne/contract/customers'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { customersOf } from './service.ts'

export const customerCallsServed = (context: AppContext): Served[] =>
  serve(customerCalls, {
    customers: async ({ query }, { scope }) => customersOf(context, scope, query),
  })
