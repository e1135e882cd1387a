import { sessionCalls } from '@soigne/contract/session'
import { serve, type Served } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { signInAtProvider } from './provider-sign-in.ts'
import { rememberedDevice } from './known-devices.ts'
import { login, logout, normalEmail, register, replacePicture, sessionUser } from './service.ts'

export const sessionCallsServed = (context: AppContext): Served[] =>
  serve(sessionCalls, {
    login: async ({ body }, caller) => {
      const { token, account } = await login(context, body, caller)
      caller.setCookie(rememberedDevice(context, normalEmail(body.email), caller.cookies))
      return {
        message: translate(caller.locale, 'messages', 'welcome', { name: account.firstName }),
        token,
        user: { role: account.role, hasGoogleCalendarAccess: account.hasGoogleCalendarAccess },
      }
    },
    signInAtProvider: async ({ body }, caller) => {
      const { token, account, isNew, from } = await signInAtProvider(context, body, caller)
      caller.setCookie(rememberedDevice(context, account.email, caller.cookies))
      return {
        message: translate(caller.locale, 'messages', isNew ? 'joined' : 'welcome', { name: account.firstName }),
        token,
        user: { role: account.role, hasGoogleCalendarAccess: account.hasGoogleCalendarAccess },
        isNew,
        from,
      }
    },
    register: async ({ body }, caller) => {
      const { token } = await register(context, body, caller)
      caller.setCookie(rememberedDevice(context, normalEmail(body.email), caller.cookies))
      return { message: translate(caller.locale, 'messages', 'registered', { name: body.firstName }), token }
    },
    me: async (_input, { scope }) => sessionUser(context, scope),
    profileImage: async ({ files }, caller) => {
      const [image] = files.image
      if (!image) throw refuseField('image', 'required')
      const imageUrl = await replacePicture(context, caller.scope, image)
      return { message: translate(caller.locale, 'messages', 'pictureSaved'), imageUrl }
    },
    logout: async (_input, { scope, locale }) => {
      await logout(context, scope)
      return { message: translate(locale, 'messages', 'loggedOut') }
    },
  })
