import { verificationCalls } from '@soigne/contract/verification'
import { serve, type Served } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/translate.ts'
import { resendVerification, verifyEmail } from './service.ts'

export const verificationCallsServed = (context: AppContext): Served[] =>
  serve(verificationCalls, {
    verifyEmail: async ({ body }, { scope, locale }) => {
      await verifyEmail(context, scope, body.code)
      return { message: translate(locale, 'messages', 'verified') }
    },
    resendVerification: async (_input, { scope, locale }) => {
      await resendVerification(context, scope)
      return { message: translate(locale, 'messages', 'codeSent') }
    },
  })
