import { passwordCalls } from '@soigne/contract/password'
import { serve, type Served } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/translate.ts'
import { checkLink, requestReset, resetPassword } from './service.ts'

export const passwordCallsServed = (context: AppContext): Served[] =>
  serve(passwordCalls, {
    requestPasswordReset: async ({ body }, { locale, address }) => {
      await requestReset(context, body.email, address)
      return { message: translate(locale, 'messages', 'resetSent') }
    },
    validateResetToken: async ({ query }, { locale }) => {
      await checkLink(context, query.token)
      return { message: translate(locale, 'messages', 'linkGood') }
    },
    resetPassword: async ({ body }, { locale, address, cookies }) => {
      await resetPassword(context, body, { address, cookies })
      return { message: translate(locale, 'messages', 'passwordChanged') }
    },
  })
