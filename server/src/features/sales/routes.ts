import { saleCalls } from '@soigne/contract/sales'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { exportSales } from './exporting.ts'
import { ownPayments } from './own.ts'
import { invoicePdf, ownInvoicePdf } from './printing.ts'
import { readSale } from './reading.ts'
import { salesOf } from './service.ts'

export const saleCallsServed = (context: AppContext): Served[] =>
  serve(saleCalls, {
    sales: async ({ query }, { scope, locale }) => salesOf(context, scope, query, locale),
    exportSales: async ({ query }, { scope, locale }) => exportSales(context, scope, query.period, locale),
    sale: async ({ params }, { scope, locale }) => readSale(context.database.db, scope, params.id, locale),
    saleInvoice: async ({ params, query }, { scope, locale }) =>
      invoicePdf(context, scope, { id: params.id, document: query.document }, locale),
    appointmentPayments: async ({ params }, { scope }) => ownPayments(context, scope, params.id),
    appointmentInvoice: async ({ params, query }, { scope, locale }) =>
      ownInvoicePdf(context, scope, { id: params.id, document: query.document }, locale),
  })
