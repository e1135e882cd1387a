import { appointmentCalls } from '@soigne/contract/appointments'
import type { SelfScope } from '#/platform/access.ts'
import { type Caller, type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/words.ts'
import { confirm, currentHolds, extendHoldOnce, makeHold, releaseHold, type Requester } from '#/features/booking/service.ts'
import { cancelVisit, moveVisit, timesToMoveTo } from './changes.ts'
import { appointmentOf, appointmentsOf, calendarFileOf, visitsOfInstitute } from './service.ts'

const who = ({ scope, locale, idempotencyKey }: Caller<SelfScope>): Requester => ({ scope, locale, idempotencyKey })

export const appointmentCallsServed = (context: AppContext): Served[] =>
  serve(appointmentCalls, {
    makeHold: async ({ body }, caller) =>
      makeHold(context, who(caller), {
        ...body,
        services: body.services.map(({ serviceId, staffId }) => (staffId ? { serviceId, staffId } : { serviceId })),
      }),
    currentHolds: async (_input, caller) => ({ items: await currentHolds(context, who(caller)) }),
    extendHold: async ({ params }, caller) => extendHoldOnce(context, who(caller), params.id),
    async releaseHold({ params }, caller) {
      await releaseHold(context, who(caller), params.id)
      return { message: translate(caller.locale, 'messages', 'holdReleased') }
    },
    book: async ({ body }, caller) => confirm(context, who(caller), body),
    appointments: async ({ query }, caller) => appointmentsOf(context, who(caller), query),
    appointment: async ({ params }, caller) =>
      appointmentOf(context.database.db, { id: params.id, userId: caller.scope.userId }, caller.locale, context.clock.now()),
    appointmentCalendarFile: async ({ params }, caller) => calendarFileOf(context, who(caller), params.id),
    cancelAppointment: async ({ params, body }, caller) => cancelVisit(context, who(caller), params.id, body?.reason || null),
    rescheduleAppointment: async ({ params, body }, caller) => moveVisit(context, who(caller), params.id, body.startsAt),
    rescheduleTimes: async ({ params, query }, caller) => timesToMoveTo(context, who(caller), params.id, query),
    instituteVisits: async ({ query }, { scope, locale }) => visitsOfInstitute(context, scope, query, locale),
  })
