import { resourceCalls } from '@soigne/contract/resources'
import { teamCalls } from '@soigne/contract/team'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { removeTeamMember, visitsOfMember } from './leaving.ts'
import { setAvailability, setDayShifts } from './leave.ts'
import { replaceMemberPicture } from './picture.ts'
import { addResource, changeResource, orderResources, removeResource, resourcesOf } from './resources.ts'
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
    async teamPicture({ params, files }, { scope, locale }) {
      const [image] = files.image
      if (!image) throw refuseField('image', 'required')
      const imageUrl = await replaceMemberPicture(context, scope, params.id, image)
      return { message: translate(locale, 'messages', 'pictureSaved'), imageUrl }
    },
    setAvailability: async ({ params, query, body }, { scope }) =>
      setAvailability(context, scope, params.id, body, { isDryRun: query.dryRun === '1' }),
    setDayShifts: async ({ params, body }, { scope }) => setDayShifts(context, scope, params.id, { day: params.day, shifts: body.shifts }),
    visitsOfMember: async ({ params, query }, { scope, locale }) => visitsOfMember(context, scope, params.id, { from: query.from, locale }),
    async removeTeamMember({ params, query }, { scope, locale }) {
      await removeTeamMember(context, scope, params.id, query.lastDay)
      return { message: translate(locale, 'messages', 'memberLeft') }
    },
  })

export const resourceCallsServed = (context: AppContext): Served[] =>
  serve(resourceCalls, {
    resources: async (_input, { scope, locale }) => resourcesOf(context, scope, locale),
    addResource: async ({ body }, { scope }) => addResource(context, scope, body),
    async orderResources({ body }, { scope, locale }) {
      await orderResources(context, scope, body.ids)
      return { message: translate(locale, 'messages', 'teamOrdered') }
    },
    changeResource: async ({ params, body }, { scope }) => changeResource(context, scope, params.id, body),
    async removeResource({ params }, { scope, locale }) {
      await removeResource(context, scope, params.id, locale)
      return { message: translate(locale, 'messages', 'resourceRemoved') }
    },
  })
