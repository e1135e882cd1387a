import { paymentAccountCalls } from '@soigne/contract/payment-accounts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { connectAccount, readAccount } from './service.ts'

export const paymentAccountCallsServed = (context: AppContext): Served[] =>
  serve(paymentAccountCalls, {
    connectPaymentAccount: async (_input, { scope }) => connectAccount(context, scope),
    readPaymentAccount: async (_input, { scope }) => readAccount(context, scope),
  })
