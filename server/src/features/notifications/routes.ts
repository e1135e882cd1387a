import { notificationCalls } from '@soigne/contract/notifications'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { remindersOf } from './reminders.ts'
import { choicesOf, chooseNotifications, notificationsOf, readAllNotifications, readNotification, removeNotification } from './service.ts'

export const notificationCallsServed = (context: AppContext): Served[] =>
  serve(notificationCalls, {
    notifications: async ({ query }, { scope, locale }) => notificationsOf(context, scope, query, locale),
    async readAllNotifications(_input, { scope, locale }) {
      await readAllNotifications(context, scope)
      return { message: translate(locale, 'messages', 'allRead') }
    },
    async readNotification({ params }, { scope, locale }) {
      await readNotification(context, scope, params.id)
      return { message: translate(locale, 'messages', 'markedRead') }
    },
    async removeNotification({ params }, { scope, locale }) {
      await removeNotification(context, scope, params.id)
      return { message: translate(locale, 'messages', 'removed') }
    },
    notificationChoices: async (_input, { scope }) => ({ items: await choicesOf(context, scope) }),
    async chooseNotifications({ body }, { scope, locale }) {
      await chooseNotifications(context, scope, body)
      return { message: translate(locale, 'messages', 'profileSaved') }
    },
    reminders: async ({ params }, { scope }) => ({ items: await remindersOf(context, scope, params.id) }),
  })
