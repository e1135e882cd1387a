// Changing the password: whoever changes it shows that they know the old one.
import { type OwnProfile, passwordForm } from '@soigne/contract/settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '#/paths.ts'
import { useContractForm } from '#/kit/form.tsx'
import { api } from '#/platform/api.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { usePageSettings } from '#/platform/page-settings.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AboveForm, refusalOf } from './above-form.tsx'
import styles from './settings.module.css'

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const form = useContractForm(passwordForm, {
    defaultValues: { currentPassword: '', newPassword: '' },
    refusalOf: (error) =>
      refusalCode(error) === 'password_common' ? { message: '', fields: { newPassword: failureText(error) } } : refusalOf(error),
    async send(body) {
      const { message } = await api.changeOwnPassword({ body })
      showToast({ type: 'success', title: message })
      onDone()
      await queries.invalidateQueries({ queryKey: queryKeys.devices })
    },
  })
  const { errors, isSubmitting } = form.formState
  const shown = { showLabel: t('password.show'), hideLabel: t('password.hide') }
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <AboveForm lines={form.aboveForm} />
      <PasswordField
        {...shown}
        label={t('password.current')}
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <PasswordField
        {...shown}
        label={t('password.new')}
        autoComplete="new-password"
        hint={t('password.hint')}
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      <div className={styles.ways}>
        <Button type="submit" loading={isSubmitting}>
          {t('password.save')}
        </Button>
        <Button variant="outline" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Of accounts made at a provider: the link of a reset sets the first one. Its page is for guests alone. */
function NoPassword({ email }: { email: string }) {
  const { t } = useTranslation('settings')
  const { signIn: provider } = usePageSettings()
  const session = useSessionActions()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => api.requestPasswordReset({ body: { email } }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <div>
          <p className="strong">{t('password.title')}</p>
          <p className="small muted">{provider === null ? t('password.noneElse') : t('password.none', { provider })}</p>
          {isSuccess && (
            <p className="small" role="status">
              {t('password.sent', { email })}
            </p>
          )}
        </div>
      </div>
      {isSuccess ? (
        <Button variant="outline" onClick={() => void session.close(paths.home).catch(() => {})}>
          {t('password.logOut')}
        </Button>
      ) : (
        <Button variant="outline" loading={isPending} onClick={() => mutate()}>
          {t('password.set')}
        </Button>
      )}
    </div>
  )
}

export function PasswordPart({ profile: { email, hasPassword } }: { profile: OwnProfile }) {
  const { t } = useTranslation('settings')
  const [open, setOpen] = useState(false)
  if (!hasPassword) return <NoPassword email={email} />
  if (open) return <PasswordForm onDone={() => setOpen(false)} />
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <div>
          <p className="strong">{t('password.title')}</p>
          <p className="small muted">{t('password.text')}</p>
        </div>
      </div>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {t('password.change')}
      </Button>
    </div>
  )
}
