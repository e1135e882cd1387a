import { verificationCalls } from '@soigne/contract/verification'
import { serve, type Served } from '#/platform/calls.ts'
import type { Parts } from '#/platform/parts.ts'
import { say } from '#/texts/words.ts'
import { resendVerification, verifyEmail } from './service.ts'

export const verificationCallsServed = (parts: Parts): Served[] =>
  serve(verificationCalls, {
    verifyEmail: async ({ body }, { actor, locale }) => {
      await verifyEmail(parts, actor.userId, body.code)
      return { message: say(locale, 'messages', 'verified') }
    },
    resendVerification: async (_input, { actor, locale }) => {
      await resendVerification(parts, actor.userId)
      return { message: say(locale, 'messages', 'codeSent') }
    },
  })
