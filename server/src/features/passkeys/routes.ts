import { passkeyCalls } from '@soigne/contract/passkeys'
import { rememberedDevice } from '#/features/session/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { addPasskey, beginPasskey, beginSignIn, passkeysOf, removePasskey, renamePasskey, signInByPasskey } from './service.ts'

export const passkeyCallsServed = (context: AppContext): Served[] =>
  serve(passkeyCalls, {
    passkeys: async (_input, { scope }) => ({ items: await passkeysOf(context, scope) }),
    beginPasskey: async ({ body }, { scope, address }) => beginPasskey(context, scope, { ...body, address }),
    async addPasskey({ body }, { scope, locale, userAgent }) {
      await addPasskey(context, scope, { ...body, userAgent })
      return { message: translate(locale, 'messages', 'passkeyAdded') }
    },
    async renamePasskey({ params, body }, { scope, locale }) {
      await renamePasskey(context, scope, { id: params.id, name: body.name })
      return { message: translate(locale, 'messages', 'passkeyRenamed') }
    },
    async removePasskey({ params }, { scope, locale }) {
      await removePasskey(context, scope, params.id)
      return { message: translate(locale, 'messages', 'passkeyRemoved') }
    },
    beginPasskeySignIn: async (_input, { address }) => beginSignIn(context, address),
    async signInByPasskey({ body }, caller) {
      const { token, account } = await signInByPasskey(context, body.credential, caller)
      caller.setCookie(rememberedDevice(context, account.email, caller.cookies))
      return {
        message: translate(caller.locale, 'messages', 'welcome', { name: account.firstName }),
        token,
        user: { role: account.role, hasGoogleCalendarAccess: account.hasGoogleCalendarAccess },
      }
    },
  })
