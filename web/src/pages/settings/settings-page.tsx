// `/settings`, with the passkeys of the account beside its password.
import { PasskeyList } from '#/features/passkeys/passkey-list.tsx'
import { SettingsContent } from '#/features/settings/settings-content.tsx'

export { handle, links } from '#/features/settings/settings-content.tsx'

export default function SettingsPage() {
  return <SettingsContent passkeys={(hasPassword) => <PasskeyList hasPassword={hasPassword} />} />
}
