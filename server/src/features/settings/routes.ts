import { settingsCalls } from '@soigne/contract/settings'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import {
  changeOwnPassword,
  devicesOf,
  endDevice,
  endOtherDevices,
  eraseOwnAccount,
  exportOf,
  exportWithFiles,
  profileOf,
  updateProfile,
} from './service.ts'

export const settingsCallsServed = (context: AppContext): Served[] =>
  serve(settingsCalls, {
    ownProfile: async (_input, { scope }) => profileOf(context, scope),
    async updateProfile({ body }, { scope, locale }) {
      await updateProfile(context, scope, body)
      return { message: translate(body.locale ?? locale, 'messages', 'profileSaved') }
    },
    async changeOwnPassword({ body }, { scope, locale, address }) {
      await changeOwnPassword(context, scope, { ...body, address })
      return { message: translate(locale, 'messages', 'ownPasswordChanged') }
    },
    exportOwnData: async (_input, { scope }) => exportOf(context, scope),
    exportOwnFiles: async (_input, { scope }) => exportWithFiles(context, scope),
    async eraseAccount({ body }, { scope, locale, address }) {
      await eraseOwnAccount(context, scope, { ...body, address })
      return { message: translate(locale, 'messages', 'accountErased') }
    },
    devices: async (_input, { scope }) => ({ items: await devicesOf(context, scope) }),
    async endDevice({ params }, { scope, locale }) {
      await endDevice(context, scope, params.id)
      return { message: translate(locale, 'messages', 'deviceEnded') }
    },
    async endOtherDevices(_input, { scope, locale }) {
      const count = await endOtherDevices(context, scope)
      return {
        message: count === 0 ? translate(locale, 'messages', 'noOtherDevices') : translate(locale, 'messages', 'devicesEnded', { count }),
      }
    },
  })
