import { availabilityCalls } from '@soigne/contract/institutes'
import type { CartLine } from '@soigne/scheduling/model'
import { type Served, serve } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { freeDays, freeMonth, nextFree } from './free-times.ts'
import { refuseField } from '#/platform/refuse.ts'

interface AskedCart {
  service?: string | string[] | undefined
  staff?: string | string[] | undefined
  atHome?: 'true' | 'false' | undefined
}

/** Services in order, members by position: one member holds for all, `any` and a missing one leave the choice open. */
function cartOf({ service = [], staff, atHome }: AskedCart): CartLine[] {
  const services = [service].flat()
  const members = staff === undefined ? [] : [staff].flat()
  if (members.length > services.length) throw refuseField('staff', 'invalid')
  return services.map((serviceId, position) => {
    const member = members.length === 1 ? members[0] : members[position]
    const where = atHome === 'true' ? { atHome: true } : {}
    return member === undefined || member === 'any' ? { serviceId, ...where } : { serviceId, memberId: member, ...where }
  })
}

export const availabilityCallsServed = (context: Pick<AppContext, 'database' | 'clock'>): Served[] =>
  serve(availabilityCalls, {
    availability: async ({ params, query }) =>
      freeDays(context, {
        instituteId: params.id,
        cart: cartOf(query),
        days: query.days,
        ...(query.from !== undefined && { from: query.from }),
      }),
    monthMap: async ({ params, query }) => freeMonth(context, { instituteId: params.id, cart: cartOf(query), month: query.month }),
    nextTimes: async ({ params, query }) =>
      nextFree(context, {
        instituteId: params.id,
        cart: cartOf(query),
        limit: query.limit,
        ...(query.from !== undefined && { from: query.from }),
      }),
  })
