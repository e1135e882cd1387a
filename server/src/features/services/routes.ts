import { serviceCalls } from '@soigne/contract/services'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { addService, changeService, menuForWire, orderServices, removeService, renameGroup } from './service.ts'
import { startersOf } from './starters.ts'

export const serviceCallsServed = (context: AppContext): Served[] =>
  serve(serviceCalls, {
    services: async (_input, { scope }) => menuForWire(context, scope),
    serviceStarters: async ({ query }) => ({ items: startersOf(query.category) }),
    addService: async ({ body }, { scope, idempotencyKey }) => addService(context, scope, body, idempotencyKey),
    async orderServices({ body }, { scope, locale }) {
      await orderServices(context, scope, body.serviceIds)
      return { message: translate(locale, 'messages', 'menuOrdered') }
    },
    async renameGroup({ body }, { scope, locale }) {
      await renameGroup(context, scope, body)
      return { message: translate(locale, 'messages', 'groupRenamed') }
    },
    changeService: async ({ params, body }, { scope, locale }) => changeService(context, scope, { ...params, locale }, body),
    removeService: async ({ params, query }, { scope, locale }) => removeService(context, scope, params.id, { ...query, locale }),
  })
