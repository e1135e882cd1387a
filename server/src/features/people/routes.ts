import { memberCalls } from '@soigne/contract/members'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { addMember, changeMember, leaveInstitute, listMembersOf, removeMember } from './members.ts'

export const memberCallsServed = (context: AppContext): Served[] =>
  serve(memberCalls, {
    members: async (_input, { scope }) => ({ items: await listMembersOf(context, scope) }),
    addMember: async ({ body }, { scope, locale }) => addMember(context, scope, body, locale),
    changeMember: async ({ params, body }, { scope }) => changeMember(context, scope, params.id, body),
    async removeMember({ params }, { scope, locale }) {
      await removeMember(context, scope, params.id)
      return { message: translate(locale, 'messages', 'memberRemoved') }
    },
    async leaveInstitute({ params }, { scope, locale }) {
      await leaveInstitute(context, scope, params.id)
      return { message: translate(locale, 'messages', 'instituteLeft') }
    },
  })
