import { availabilityCalls } from '@soigne/contract/institutes'
import type { Instant } from '@soigne/contract/time'
import type { CartLine } from '@soigne/scheduling/model'
import { type Served, serve } from '#/platform/calls.ts'
import type { SearchLog, TimeSearch } from '#/features/time-searches/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, utcDayOf } from '#/platform/instants.ts'
import { freeDays, freeMonth, nextFree } from './free-times.ts'
import type { TimesOfDays } from './offers.ts'
import { refuseField } from '#/platform/refuse.ts'

type Context = Pick<AppContext, 'database' | 'clock'>

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

/** What was looked for, as it is kept: nothing of who did. */
function searchOf(asked: { instituteId: string; cart: readonly CartLine[] }, { days }: TimesOfDays, now: Instant): TimeSearch {
  const cart = asked.cart.map(({ serviceId, memberId, atHome }) => ({
    serviceId,
    ...(memberId !== undefined && { staffId: memberId }),
    ...(atHome && { atHome }),
  }))
  const found = days.reduce((sum, { times }) => sum + times.length, 0)
  return {
    instituteId: asked.instituteId,
    askedAt: instantText(now),
    cart,
    fromDay: days[0]?.day ?? utcDayOf(now),
    days: days.length,
    found,
  }
}

export const availabilityCallsServed = (context: Context, searches: SearchLog): Served[] =>
  serve(availabilityCalls, {
    async availability({ params, query }) {
      const asked = { instituteId: params.id, cart: cartOf(query) }
      const times = await freeDays(context, { ...asked, days: query.days, ...(query.from !== undefined && { from: query.from }) })
      const now = context.clock.now()
      searches.note(searchOf(asked, times, now), now)
      return times
    },
    monthMap: async ({ params, query }) => freeMonth(context, { instituteId: params.id, cart: cartOf(query), month: query.month }),
    nextTimes: async ({ params, query }) =>
      nextFree(context, {
        instituteId: params.id,
        cart: cartOf(query),
        limit: query.limit,
        ...(query.from !== undefined && { from: query.from }),
      }),
  })
