// Who somebody is: as institutes see them once they book.
import { profileForm, type OwnProfile } from '@soigne/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { useContractForm } from '#/kit/form.tsx'
import { api } from '#/platform/api.ts'
import { useSessionActions, useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AboveForm, refusalOf } from './above-form.tsx'
import styles from './settings.module.css'

function OwnEmail({ email }: { email: string }) {
  const { t } = useTranslation('settings')
  const isVerified = useUser()?.isEmailVerified === true
  const mark = isVerified && (
    <span className={styles.verified}>
      <Icon name="check" size={18} />
      {t('profile.verified')}
    </span>
  )
  return <Field label={t('profile.email')} type="email" value={email} dir="ltr" readOnly end={mark} />
}

export function ProfileForm({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const session = useSessionActions()
  const { firstName, lastName, phone } = profile
  const form = useContractForm(profileForm, {
    defaultValues: { firstName, lastName, phone },
    refusalOf,
    async send(body) {
      const { message } = await api.updateProfile({ body })
      showToast({ type: 'success', title: message })
      form.reset(body)
      await Promise.all([queries.invalidateQueries({ queryKey: queryKeys.ownProfile }), session.refresh()])
    },
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <AboveForm lines={form.aboveForm} />
      <div className={styles.pair}>
        <Field label={t('profile.firstName')} autoComplete="given-name" error={errors.firstName?.message} {...form.register('firstName')} />
        <Field label={t('profile.lastName')} autoComplete="family-name" error={errors.lastName?.message} {...form.register('lastName')} />
        <OwnEmail email={profile.email} />
        <Field
          label={t('profile.phone')}
          type="tel"
          autoComplete="tel"
          dir="ltr"
          error={errors.phone && t('profile.phoneWrong')}
          {...form.register('phone')}
        />
      </div>
      <Button type="submit" loading={isSubmitting}>
        {t('profile.save')}
      </Button>
    </form>
  )
}
