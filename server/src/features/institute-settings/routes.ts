import { permissions } from '@soigne/contract/access'
import { instituteSettingsCalls } from '@soigne/contract/institute-settings'
import { levels } from '@soigne/contract/members'
import { grants } from '#/grants.ts'
import { mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { close, closuresOf, reopen, reopenDay } from './closures.ts'
import { changeSettings, settingsOf } from './service.ts'

export const instituteSettingsCallsServed = (context: AppContext): Served[] =>
  serve(instituteSettingsCalls, {
    instituteSettings: async (_input, { scope }) => settingsOf(context, scope),
    changeInstituteSettings: async ({ query, body }, { scope, locale }) =>
      changeSettings(context, scope, body, { locale, onlyAnswers: query.dryRun === '1' }),
    closures: async (_input, { scope, locale }) => closuresOf(context, scope, locale),
    close: async ({ query, body }, { scope, locale }) => close(context, scope, body, { locale, onlyAnswers: query.dryRun === '1' }),
    async reopen({ params, query }, { scope, locale }) {
      if (query.day === undefined) await reopen(context, scope, params.id)
      else await reopenDay(context, scope, params.id, query.day)
      return { message: translate(locale, 'messages', 'closureRemoved') }
    },
    ownPermissions: async (_input, { scope }) => ({
      permissions: [...permissions],
      levels: levels.map((level) => ({ level, may: [...grants.levels[level]] })),
      own: permissions.filter((one) => mayAlso(scope, one)),
    }),
  })
