import { appointmentCalls } from '@soigne/contract/appointments'
import { type Served, type SignedCaller, serve } from '#/platform/calls.ts'
import type { Parts } from '#/platform/parts.ts'
import { say } from '#/texts/words.ts'
import { cancelVisit, moveVisit, timesToMoveTo } from './changes.ts'
import {
  appointmentOf,
  appointmentsOf,
  book,
  calendarFileOf,
  currentHolds,
  extendHoldOnce,
  makeHold,
  releaseHold,
  visitsOfMyInstitute,
  type Who,
} from './service.ts'

const who = ({ actor, locale, idempotencyKey }: SignedCaller): Who => ({ actor, locale, idempotencyKey })

export const appointmentCallsServed = (parts: Parts): Served[] =>
  serve(appointmentCalls, {
    makeHold: async ({ body }, caller) =>
      makeHold(parts, who(caller), {
        ...body,
        services: body.services.map(({ serviceId, staffId }) => (staffId ? { serviceId, staffId } : { serviceId })),
      }),
    currentHolds: async (_input, caller) => ({ items: await currentHolds(parts, who(caller)) }),
    extendHold: async ({ params }, caller) => extendHoldOnce(parts, who(caller), params.id),
    async releaseHold({ params }, caller) {
      await releaseHold(parts, who(caller), params.id)
      return { message: say(caller.locale, 'messages', 'holdReleased') }
    },
    book: async ({ body }, caller) => book(parts, who(caller), body),
    appointments: async ({ query }, caller) => appointmentsOf(parts, who(caller), query),
    appointment: async ({ params }, caller) =>
      appointmentOf(parts.database.db, { id: params.id, userId: caller.actor.userId }, caller.locale, parts.clock.now()),
    appointmentCalendarFile: async ({ params }, caller) => calendarFileOf(parts, who(caller), params.id),
    cancelAppointment: async ({ params, body }, caller) => cancelVisit(parts, who(caller), params.id, body?.reason || null),
    rescheduleAppointment: async ({ params, body }, caller) => moveVisit(parts, who(caller), params.id, body.startsAt),
    rescheduleTimes: async ({ params, query }, caller) => timesToMoveTo(parts, who(caller), params.id, query),
    instituteVisits: async ({ query }, caller) => visitsOfMyInstitute(parts, who(caller), query),
  })
