import { giftCardCalls, packageCalls } from '@soigne/contract/vouchers'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { addPackage, listPackages, ownPackages, packagesOf, removePackage } from './packages.ts'
import { changeGiftCardRule, findGiftCards, giftCardPdf, readGiftCardRule } from './gift-cards.ts'

export const giftCardCallsServed = (context: AppContext): Served[] =>
  serve(giftCardCalls, {
    giftCards: async ({ query }, { scope }) => findGiftCards(context, scope, query),
    giftCardPdf: async ({ params }, { scope, locale }) => giftCardPdf(context, scope, params.id, locale),
    giftCardRule: async (_input, { scope }) => readGiftCardRule(context, scope),
    changeGiftCardRule: async ({ body }, { scope }) => changeGiftCardRule(context, scope, body),
  })

export const packageCallsServed = (context: AppContext): Served[] =>
  serve(packageCalls, {
    packages: async (_input, { scope, locale }) => listPackages(context, scope, locale),
    addPackage: async ({ body }, { scope, locale }) => addPackage(context, scope, body, locale),
    removePackage: async ({ params }, { scope, locale }) => removePackage(context, scope, params.id, locale),
    clientPackages: async ({ params }, { scope, locale }) => packagesOf(context, scope, params.id, locale),
    ownPackages: async (_input, { scope, locale }) => ownPackages(context, scope, locale),
  })
