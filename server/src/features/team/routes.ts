import { teamCalls } from '@soigne/contract/team'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { addTeamMember, changeTeamMember, orderTeam, teamOf } from './service.ts'

export const teamCallsServed = (context: AppContext): Served[] =>
  serve(teamCalls, {
    team: async (_input, { scope, locale }) => teamOf(context, scope, locale),
    addTeamMember: async ({ body }, { scope }) => addTeamMember(context, scope, body),
    changeTeamMember: async ({ params, body }, { scope }) => changeTeamMember(context, scope, params.id, body),
    async orderTeam({ body }, { scope, locale }) {
      await orderTeam(context, scope, body.ids)
      return { message: translate(locale, 'messages', 'teamOrdered') }
    },
  })
