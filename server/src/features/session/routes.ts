import { sessionCalls } from '@soigne/contract/session'
import { type Caller, serve, type Served } from '#/platform/calls.ts'
import { refusalOf } from '#/platform/failures.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/words.ts'
import { login, logout, register, replacePicture, sessionUser } from './service.ts'

/** The uploaded bytes. A form that breaks off or is malformed is the sender's mistake, not ours. */
const pictureOf = (caller: Caller): Promise<Uint8Array> =>
  caller.file('image').catch((error: unknown) => {
    throw refusalOf(error) ?? refuseField('image', 'invalid')
  })

export const sessionCallsServed = (context: AppContext): Served[] =>
  serve(sessionCalls, {
    login: async ({ body }, caller) => {
      const { token, account } = await login(context, body, caller)
      return {
        message: translate(caller.locale, 'messages', 'welcome', { name: account.firstName }),
        token,
        user: { role: account.role, hasGoogleCalendarAccess: false },
      }
    },
    register: async ({ body }, caller) => {
      const { token } = await register(context, body, caller)
      return { message: translate(caller.locale, 'messages', 'registered', { name: body.firstName }), token }
    },
    me: async (_input, { scope }) => sessionUser(context, scope),
    profileImage: async (_input, caller) => {
      const imageUrl = await replacePicture(context, caller.scope, { field: 'image', name: null, bytes: await pictureOf(caller) })
      return { message: translate(caller.locale, 'messages', 'pictureSaved'), imageUrl }
    },
    logout: async (_input, { scope, locale }) => {
      await logout(context, scope)
      return { message: translate(locale, 'messages', 'loggedOut') }
    },
  })
