import { customerCalls } from '@soigne/contract/customers'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { exportCustomers, importCustomers } from './import.ts'
import { duplicatesOf, mergeCustomers, separate, undoMerge } from './merge.ts'
import {
  addConsent,
  addCustomer,
  addFile,
  blockCustomer,
  changeCustomer,
  changeHealth,
  customerOf,
  openHealth,
  relate,
  removeFile,
  unrelate,
  visitsOf,
  withdraw,
} from './record.ts'
import { customersOf } from './service.ts'

export const customerCallsServed = (context: AppContext): Served[] =>
  serve(customerCalls, {
    customers: async ({ query }, { scope }) => customersOf(context, scope, query),
    addCustomer: async ({ body }, { scope }) => addCustomer(context, scope, body),
    customer: async ({ params }, { scope }) => customerOf(context, scope, params.id),
    changeCustomer: async ({ params, body }, { scope }) => changeCustomer(context, scope, params.id, body),
    customerVisits: async ({ params, query }, { scope, locale }) => visitsOf(context, scope, { id: params.id, ...query }, locale),
    blockCustomer: async ({ params, body }, { scope }) => blockCustomer(context, scope, params.id, body.isBlocked),
    openCustomerHealth: async ({ params }, { scope }) => openHealth(context, scope, params.id),
    changeCustomerHealth: async ({ params, body }, { scope }) => changeHealth(context, scope, params.id, body),
    async addCustomerFile({ params, body, files }, { scope }) {
      const [file] = files.file
      if (!file) throw refuseField('file', 'required')
      return addFile(context, scope, params.id, { file, name: body.name })
    },
    removeCustomerFile: async ({ params }, { scope }) => removeFile(context, scope, params.id, params.fileId),
    addCustomerConsent: async ({ params, body }, { scope }) => addConsent(context, scope, params.id, body),
    withdrawCustomerConsent: async ({ params }, { scope }) => withdraw(context, scope, params.id, params.consentId),
    relateCustomer: async ({ params, body }, { scope }) =>
      relate(context, scope, params.id, { relatedId: params.relatedId, kind: body.kind }),
    unrelateCustomer: async ({ params }, { scope }) => unrelate(context, scope, params.id, params.relatedId),
    customerDuplicates: async ({ query }, { scope }) => ({ items: await duplicatesOf(context, scope, query.of ?? null) }),
    async separateCustomers({ body }, { scope, locale }) {
      await separate(context, scope, body)
      return { message: translate(locale, 'messages', 'customersSeparated') }
    },
    mergeCustomers: async ({ body }, { scope }) => mergeCustomers(context, scope, body),
    undoMerge: async ({ params }, { scope }) => undoMerge(context, scope, params.id),
    importCustomers: async ({ body, files }, { scope }) =>
      importCustomers(context, scope, { file: files.file[0], mapping: body.mapping, dryRun: body.dryRun === 'true' }),
    exportCustomers: async (_input, { scope, locale }) => exportCustomers(context, scope, locale),
  })
