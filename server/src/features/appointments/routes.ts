import { appointmentCalls } from '@soigne/contract/appointments'
import type { Instant } from '@soigne/contract/time'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import { type Caller, type Handlers, type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/translate.ts'
import { currentHolds, extendHoldOnce, makeHold, releaseHold, type Requester } from '#/features/booking/service.ts'
import { book } from '#/features/checkout/service.ts'
import type { ShownVisit } from '#/features/visits/service.ts'
import { cancelVisit, moveVisit, planOfMove, timesToMoveTo } from './changes.ts'
import { appointmentOf, appointmentsOf, calendarFileOf, visitForInstitute, visitForWire, visitsOfInstitute } from './service.ts'

const who = <Allowed extends SelfScope | InstituteScope<never>>({
  scope,
  locale,
  idempotencyKey,
}: Caller<Allowed>): Requester<Allowed> => ({
  scope,
  locale,
  idempotencyKey,
})

const toClient =
  ({ locale }: Caller) =>
  (visit: ShownVisit, now: Instant) =>
    visitForWire(visit, locale, now)
const toInstitute =
  ({ scope, locale }: Caller<InstituteScope<'diary.own'>>) =>
  (visit: ShownVisit, now: Instant) =>
    visitForInstitute(scope, visit, locale, now)

export const appointmentCallsServed = (context: AppContext): Served[] =>
  serve(appointmentCalls, handlersIn(context), { proving: ['makeHold', 'book'] })

const handlersIn = (context: AppContext): Handlers<typeof appointmentCalls> => ({
  makeHold: async ({ body }, caller) =>
    makeHold(
      context,
      who(caller),
      { ...body, services: body.services.map(({ serviceId, staffId }) => (staffId ? { serviceId, staffId } : { serviceId })) },
      caller.address,
    ),
  currentHolds: async (_input, caller) => ({ items: await currentHolds(context, who(caller)) }),
  extendHold: async ({ params }, caller) => extendHoldOnce(context, who(caller), params.id),
  async releaseHold({ params }, caller) {
    await releaseHold(context, who(caller), params.id)
    return { message: translate(caller.locale, 'messages', 'holdReleased') }
  },
  book: async ({ body }, caller) => book(context, who(caller), body),
  appointments: async ({ query }, caller) => appointmentsOf(context, who(caller), query),
  appointment: async ({ params }, caller) => appointmentOf(context, who(caller), params.id),
  appointmentCalendarFile: async ({ params }, caller) => calendarFileOf(context, who(caller), params.id),
  cancelAppointment: async ({ params, body }, caller) =>
    cancelVisit(context, who(caller), { id: params.id, reason: body?.reason || null }, toClient(caller)),
  rescheduleAppointment: async ({ params, body }, caller) => moveVisit(context, who(caller), { id: params.id, ...body }, toClient(caller)),
  reschedulePlan: async ({ params, query }, caller) => planOfMove(context, who(caller), { id: params.id, ...query }),
  rescheduleTimes: async ({ params, query }, caller) => timesToMoveTo(context, who(caller), params.id, query),
  instituteVisits: async ({ query }, { scope, locale }) => visitsOfInstitute(context, scope, query, locale),
  cancelInstituteVisit: async ({ params, body }, caller) =>
    cancelVisit(
      context,
      who(caller),
      { id: params.id, reason: body?.reason || null, version: body?.version, anyway: body?.anyway },
      toInstitute(caller),
    ),
  moveInstituteVisit: async ({ params, body }, caller) => moveVisit(context, who(caller), { id: params.id, ...body }, toInstitute(caller)),
})
