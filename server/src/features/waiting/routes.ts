import { waitingCalls } from '@soigne/contract/waiting'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { acceptOffer, declineOffer, joinWaitingList, leaveWaitingList, waitingEntries } from './service.ts'

export const waitingCallsServed = (context: AppContext): Served[] =>
  serve(waitingCalls, {
    joinWaitingList: async ({ body }, caller) =>
      joinWaitingList(context, caller, {
        ...body,
        services: body.services.map(({ serviceId, staffId }) => (staffId ? { serviceId, staffId } : { serviceId })),
      }),
    waitingEntries: async (_input, caller) => waitingEntries(context, caller),
    async leaveWaitingList({ params }, caller) {
      await leaveWaitingList(context, caller, params.id)
      return { message: translate(caller.locale, 'messages', 'waitingLeft') }
    },
    acceptOffer: async ({ params }, caller) => acceptOffer(context, caller, params.id),
    async declineOffer({ params }, caller) {
      await declineOffer(context, caller, params.id)
      return { message: translate(caller.locale, 'messages', 'offerDeclined') }
    },
  })
