import { setupCalls } from '@soigne/contract/setup'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { refuseField } from '#/platform/refuse.ts'
import { listingsOfSetup, placeOfSetup, publishInstitute, sendPicture, setupStateOf, withdrawClaim } from './service.ts'

export const setupCallsServed = (context: AppContext): Served[] =>
  serve(setupCalls, {
    publishInstitute: async ({ body }, { scope, locale, idempotencyKey }) =>
      publishInstitute(context, scope, { draft: body, locale, idempotencyKey }),
    setupState: async (_input, { scope }) => setupStateOf(context, scope),
    async withdrawClaim(_input, { scope }) {
      await withdrawClaim(context, scope)
      return {}
    },
    setupPlace: async ({ query: { countryCode, ...point } }, { scope, locale }) =>
      placeOfSetup(context, scope, { point, countryCode, locale }),
    setupListings: async ({ query }, { scope }) => listingsOfSetup(context, scope, query),
    async sendSetupPicture({ body, files: { picture } }, { scope }) {
      const [sent] = picture
      if (!sent) throw refuseField('picture', 'required')
      return sendPicture(context, scope, { of: body.of, picture: sent })
    },
  })
