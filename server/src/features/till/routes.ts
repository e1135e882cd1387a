import { productCalls } from '@soigne/contract/products'
import { tillCalls } from '@soigne/contract/sales'
import { visitSessionCalls } from '@soigne/contract/vouchers'
import { readSale } from '#/features/sales/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { refuse } from '#/platform/refuse.ts'
import { closeTill, tillDayOf } from './closing.ts'
import { addProduct, changeProduct, listProducts, removeProduct } from './products.ts'
import { refundSale } from './refunds.ts'
import { sellOverCounter, takeForVisit } from './taking.ts'
import { sessionsOf, takeSessionForVisit } from './visit-sessions.ts'

export const tillCallsServed = (context: AppContext): Served[] =>
  serve(
    { ...tillCalls, ...productCalls, ...visitSessionCalls },
    {
      tillDay: async ({ query }, { scope }) => tillDayOf(context, scope, query.day),
      closeTill: async ({ body }, caller) => closeTill(context, caller, body),
      async visitTill({ params }, { scope, locale }) {
        const sale = await readSale(context.database.db, scope, params.id, locale)
        if (sale.appointmentId === null) throw refuse('not_found')
        return sale
      },
      takeForVisit: async ({ params, body }, caller) => takeForVisit(context, caller, params.id, body),
      sellOverCounter: async ({ body }, caller) => sellOverCounter(context, caller, body),
      refundSale: async ({ params, body }, caller) => refundSale(context, caller, params.id, body),
      sessionsOfVisit: async ({ params }, { scope }) => sessionsOf(context, scope, params.id),
      takeSessionForVisit: async ({ params, body }, caller) => takeSessionForVisit(context, caller, params.id, body),
      products: async (_input, { scope }) => listProducts(context, scope),
      addProduct: async ({ body }, { scope }) => addProduct(context, scope, body),
      changeProduct: async ({ params, body }, { scope }) => changeProduct(context, scope, params.id, body),
      removeProduct: async ({ params }, { scope }) => removeProduct(context, scope, params.id),
    },
  )
