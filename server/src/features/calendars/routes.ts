import { calendarCalls } from '@soigne/contract/calendars'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { calendarsOf, connectCalendar, disconnectCalendar, feedOf, makeFeed, removeFeed } from './service.ts'

export const calendarCallsServed = (context: AppContext): Served[] =>
  serve(calendarCalls, {
    calendars: async (_input, { scope }) => calendarsOf(context, scope),
    async connectCalendar({ body }, { scope, locale, cookies }) {
      const from = await connectCalendar(context, scope, body, cookies)
      return { message: translate(locale, 'messages', 'calendarConnected'), from }
    },
    async disconnectCalendar(_input, { scope, locale }) {
      await disconnectCalendar(context, scope)
      return { message: translate(locale, 'messages', 'calendarDisconnected') }
    },
    async makeCalendarFeed(_input, { scope, locale }) {
      return { message: translate(locale, 'messages', 'feedMade'), address: await makeFeed(context, scope) }
    },
    async removeCalendarFeed(_input, { scope, locale }) {
      await removeFeed(context, scope)
      return { message: translate(locale, 'messages', 'feedRemoved') }
    },
    calendarFeed: async ({ params }) => feedOf(context, params.token),
  })
