import { passwordCalls } from '@soigne/contract/password'
import { serve, type Served } from '#/platform/calls.ts'
import type { Parts } from '#/platform/parts.ts'
import { say } from '#/texts/words.ts'
import { checkLink, requestReset, resetPassword } from './service.ts'

export const passwordCallsServed = (parts: Parts): Served[] =>
  serve(passwordCalls, {
    requestPasswordReset: async ({ body }, { locale, address }) => {
      await requestReset(parts, body.email, address)
      return { message: say(locale, 'messages', 'resetSent') }
    },
    validateResetToken: async ({ query }, { locale }) => {
      await checkLink(parts, query.token)
      return { message: say(locale, 'messages', 'linkGood') }
    },
    resetPassword: async ({ body }, { locale, address }) => {
      await resetPassword(parts, body, address)
      return { message: say(locale, 'messages', 'passwordChanged') }
    },
  })
