// Logging in with a passkey: the device shows whose it has, and nothing is typed.
import type { Role } from '@soigne/contract/wire'
import { useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { signByPasskey, usePasskeysHere } from './device.ts'
import styles from './passkeys.module.css'

export function PasskeyLogin({ onToken }: { onToken: (token: string, role: Role) => Promise<void> }) {
  const { t } = useTranslation('session')
  const [busy, setBusy] = useState(false)
  const isHere = usePasskeysHere()
  async function logIn() {
    setBusy(true)
    try {
      const credential = await signByPasskey(await api.beginPasskeySignIn())
      if (credential) {
        const { token, user } = await api.signInByPasskey({ body: { credential } })
        await onToken(token, user.role)
        return
      }
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
    setBusy(false)
  }
  return (
    // Its place stays, so that nothing moves where the page learns late that there are none.
    <div className={`${styles.login} ${isHere ? '' : styles.absent}`} aria-hidden={!isHere}>
      <Button variant="outline" icon="key" wide loading={busy} onClick={() => void logIn()}>
        {t('passkey')}
      </Button>
    </div>
  )
}
