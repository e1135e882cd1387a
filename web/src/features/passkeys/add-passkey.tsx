// Adding a passkey: whoever has a password shows that they know it, then the device asks for a finger, a face or its code.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mostPasskeys } from '#/contract/limits.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { isKnownHere, makePasskey } from './device.ts'
import { useOneField } from './use-one-field.ts'
import styles from './passkeys.module.css'

/** Says whether there is one more: people may change their mind in front of the device. */
function useAdd() {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  return async (password?: string): Promise<boolean> => {
    const options = await api.beginPasskey({ body: password === undefined ? {} : { password } })
    try {
      const credential = await makePasskey(options)
      if (!credential) return false
      const { message } = await api.addPasskey({ body: { credential } })
      showToast({ type: 'success', title: message })
      return true
    } catch (error) {
      if (!isKnownHere(error)) throw error
      showToast({ type: 'info', title: t('passkeys.knownHere') })
      return false
    } finally {
      await queries.invalidateQueries({ queryKey: queryKeys.passkeys })
    }
  }
}

function PasswordFirst({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('settings')
  const add = useAdd()
  const { busy, problem, submit } = useOneField('password', {
    missing: t('passkeys.passwordMissing'),
    async send(password) {
      if (await add(password)) onDone()
    },
  })
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <PasswordField
        label={t('password.current')}
        name="password"
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
        autoComplete="current-password"
        hint={t('passkeys.passwordHint')}
        error={problem}
        autoFocus
      />
      <div className={styles.ways}>
        <Button type="submit" icon="key" loading={busy}>
          {t('passkeys.go')}
        </Button>
        <Button variant="outline" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

export function AddPasskey({ hasPassword, isHere, count }: { hasPassword: boolean; isHere: boolean; count: number }) {
  const { t } = useTranslation('settings')
  const [step, setStep] = useState<'closed' | 'open' | 'left'>('closed')
  const isOpen = step === 'open'
  const add = useAdd()
  const { mutate, isPending } = useMutation({
    mutationFn: () => add(),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  const isFull = count >= mostPasskeys
  return (
    <>
      <div className={styles.row}>
        <div className={styles.what}>
          <div>
            <p className="strong">{t('passkeys.title')}</p>
            <p className="small muted">{isFull ? t('passkeys.full') : t('passkeys.text')}</p>
          </div>
        </div>
        {isHere && !isFull && !isOpen && (
          // Whoever leaves the form is where they came from.
          <Button
            variant="outline"
            icon="key"
            autoFocus={step === 'left'}
            loading={isPending}
            onClick={() => (hasPassword ? setStep('open') : mutate())}
          >
            {t('passkeys.add')}
          </Button>
        )}
      </div>
      {isOpen && <PasswordFirst onDone={() => setStep('left')} />}
    </>
  )
}
