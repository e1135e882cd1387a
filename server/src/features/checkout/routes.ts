import { paymentCalls } from '@soigne/contract/payments'
import { ifInstituteCancels, sendAgain, settle } from '#/features/payments/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Caller, serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { giveUpPayment, holdPayment, payVisit } from './booking.ts'
import { hearBytes } from './words.ts'

export function paymentCallsServed(context: AppContext): Served[] {
  const hear = async (name: string, { rawBody, headers }: Pick<Caller, 'rawBody' | 'headers'>) => {
    await hearBytes(context, name, { bytes: rawBody, headers })
    return { received: true as const }
  }
  return serve(paymentCalls, {
    holdPayment: async ({ params }, { scope }) => holdPayment(context, scope, params.id),
    giveUpPayment: async ({ params }, { scope }) => giveUpPayment(context, scope, params.id),
    payVisit: async ({ params, body }, caller) => payVisit(context, caller, { ...params, ...body }),
    visitCancellation: async ({ params }, { scope }) => ifInstituteCancels(context.database.db, scope, params.id),
    sendRefundAgain: async ({ params }, { scope }) => sendAgain(context, scope, params.id),
    async settleRefund({ params, body }, { scope, locale }) {
      await settle(context, scope, { id: params.id, how: body.how })
      return { message: translate(locale, 'messages', 'refundSettled') }
    },
    sandboxWebhook: async (_input, caller) => hear('sandbox', caller),
    stripeWebhook: async (_input, caller) => hear('stripe', caller),
  })
}
