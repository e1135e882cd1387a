// Ending an account: what goes, what stays, and the password of who asks for it.
import { accountForm } from '@soigne/contract/settings'
import { useId, useState } from 'react'
import { useContractForm } from '#/kit/form.tsx'
import { api } from '#/platform/api.ts'
import { refusalCode } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { paths } from '#/paths.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AboveForm, refusalOf } from './above-form.tsx'
import { VisitsAhead } from '#/visits-ahead.tsx'
import styles from './settings.module.css'

/** The password is what shows that it is theirs. */
function WithoutPassword({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <Notice tone="kind" icon="lock">
        {t('erase.noPassword')}
      </Notice>
      <div className={styles.ways}>
        <Button variant="outline" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </>
  )
}

function EraseForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const session = useSessionActions()
  const [hasVisits, setHasVisits] = useState(false)
  const form = useContractForm(accountForm, {
    defaultValues: { password: '' },
    refusalOf,
    async send(body) {
      try {
        const { message } = await api.eraseAccount({ body })
        showToast({ type: 'success', title: message })
      } catch (error) {
        setHasVisits(refusalCode(error) === 'visits_ahead')
        throw error
      }
      session.forget(paths.home)
    },
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <AboveForm lines={form.aboveForm} />
      {hasVisits && (
        <ButtonLink to={paths.appointments} variant="outline" icon="calendar">
          {t('erase.visits')}
        </ButtonLink>
      )}
      <PasswordField
        label={t('password.current')}
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <div className={styles.ways}>
        <Button type="submit" variant="danger" loading={isSubmitting}>
          {t('erase.confirm')}
        </Button>
        <Button variant="outline" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

export function EraseDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const id = useId()
  return (
    <Modal open onClose={onClose} labelledBy={id}>
      <h2 id={id} className="d3">
        {t('erase.question')}
      </h2>
      <ul className={styles.consequences}>
        <li>{t('erase.goes')}</li>
        <li>{t('erase.stays')}</li>
        <li>{t('erase.final')}</li>
      </ul>
      <VisitsAhead className={styles.ahead} />
      {hasPassword ? <EraseForm onClose={onClose} /> : <WithoutPassword onClose={onClose} />}
    </Modal>
  )
}
