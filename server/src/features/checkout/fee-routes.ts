import { feeCalls } from '@soigne/contract/fees'
import { forgetCard, openFeesOf, savedCards, takeBackWaiver, waive } from '#/features/fees/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { payFee } from './booking.ts'
import { chargeNow } from './charging.ts'

export const feeCallsServed = (context: AppContext): Served[] =>
  serve(feeCalls, {
    openFees: async (_input, { scope }) => ({ items: await openFeesOf(context, scope) }),
    async waiveFee({ params, body }, { scope, locale }) {
      await waive(context, scope, { id: params.id, reason: body.reason })
      return { message: translate(locale, 'messages', 'feeWaived') }
    },
    async undoWaiver({ params }, { scope, locale }) {
      await takeBackWaiver(context, scope, params.id)
      return { message: translate(locale, 'messages', 'feeDueAgain') }
    },
    chargeFee: async ({ params }, caller) => chargeNow(context, caller, params.id),
    payFee: async ({ params, body }, caller) => payFee(context, caller, { ...params, ...body }),
    savedCards: async (_input, { scope }) => ({ items: await savedCards(context, scope) }),
    async removeCard({ params }, { scope, locale }) {
      await forgetCard(context, scope, params.id)
      return { message: translate(locale, 'messages', 'cardRemoved') }
    },
  })
