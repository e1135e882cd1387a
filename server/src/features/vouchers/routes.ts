import { giftCardCalls } from '@soigne/contract/vouchers'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { changeGiftCardRule, findGiftCards, giftCardPdf, readGiftCardRule } from './gift-cards.ts'

export const giftCardCallsServed = (context: AppContext): Served[] =>
  serve(giftCardCalls, {
    giftCards: async ({ query }, { scope }) => findGiftCards(context, scope, query),
    giftCardPdf: async ({ params }, { scope, locale }) => giftCardPdf(context, scope, params.id, locale),
    giftCardRule: async (_input, { scope }) => readGiftCardRule(context, scope),
    changeGiftCardRule: async ({ body }, { scope }) => changeGiftCardRule(context, scope, body),
  })
