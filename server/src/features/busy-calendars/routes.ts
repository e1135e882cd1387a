import { busyCalendarCalls } from '@soigne/contract/busy-calendars'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { busyCalendarOf, removeBusyCalendar, setBusyCalendar } from './service.ts'

export const busyCalendarCallsServed = (context: AppContext): Served[] =>
  serve(busyCalendarCalls, {
    busyCalendar: async ({ params }, { scope }) => busyCalendarOf(context, scope, params.id),
    async setBusyCalendar({ params, body }, { scope, locale }) {
      await setBusyCalendar(context, scope, params.id, body.address)
      return { message: translate(locale, 'messages', 'busyCalendarRead') }
    },
    async removeBusyCalendar({ params }, { scope, locale }) {
      await removeBusyCalendar(context, scope, params.id)
      return { message: translate(locale, 'messages', 'busyCalendarRemoved') }
    },
  })
