import { rearrangingCalls } from '@soigne/contract/rearranging'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { acceptProposal, declineProposal, ownProposal, ownProposals } from './answering.ts'
import { lateMembers, runLate, runOnTime, wouldRunLate } from './late.ts'
import { proposalsFor } from './proposals.ts'
import { changeProposal, sendProposals } from './sending.ts'
import { rearrangementList } from './tracking.ts'

export const rearrangingCallsServed = (context: AppContext): Served[] =>
  serve(rearrangingCalls, {
    proposals: async ({ query }, { scope, locale }) => proposalsFor(context, scope, query, locale),
    rearrange: async ({ body }, caller) => sendProposals(context, caller, body),
    rearrangements: async (_input, { scope, locale }) => rearrangementList(context, scope, locale),
    changeRearrangement: async ({ params, body }, caller) => changeProposal(context, caller, { id: params.id, ...body }),
    runLate: async ({ params, query, body }, { scope, locale }) => {
      const late = { memberId: params.id, minutes: body.minutes }
      return query.dryRun === '1' ? wouldRunLate(context, scope, late, locale) : runLate(context, scope, late, locale)
    },
    async runOnTime({ params }, { scope, locale }) {
      await runOnTime(context, scope, params.id)
      return { message: translate(locale, 'messages', 'onTime') }
    },
    lateMembers: async (_input, { scope, locale }) => lateMembers(context, scope, locale),
    ownProposal: async ({ params }, caller) => ownProposal(context, caller, params.id),
    ownProposals: async (_input, caller) => ownProposals(context, caller),
    acceptProposal: async ({ params }, caller) => acceptProposal(context, caller, params.id),
    declineProposal: async ({ params }, caller) => declineProposal(context, caller, params.id),
  })
