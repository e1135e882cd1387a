// Making an account.
import type { Role } from '@soigne/contract/wire'
import { useRef, useState, type FormEvent } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Link, useSearchParams } from 'react-router'
import { useHydrated } from '#/ui/use-hydrated.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { returnLocation } from '#/platform/return-location.ts'
import { loginPath, paths } from '#/paths.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { FormPage, type Scene } from '#/ui/form-page.tsx'
import { ProviderButton } from './provider-button.tsx'
import { RoleSelector } from './role-selector.tsx'
import { focusFirstProblem } from '#/ui/typed-fields.ts'
import { useRegistration, type Problems } from './registration.ts'
import styles from './session-form.module.css'

export const handle = { namespaces: ['session'] }

const scene: Scene = [
  { category: 'nails', seed: 'five', height: 58 },
  { category: 'barbering', seed: 'comb', height: 82 },
  { category: 'makeup', seed: 'swatch', height: 66 },
]

function NameFields({ problems }: { problems: Problems }) {
  const { t } = useTranslation('session')
  return (
    <div className={styles.names}>
      <Field label={t('field.firstName')} name="firstName" autoComplete="given-name" maxLength={80} error={problems.firstName} />
      <Field label={t('field.lastName')} name="lastName" autoComplete="family-name" maxLength={80} error={problems.lastName} />
    </div>
  )
}

function ContactFields({ problems }: { problems: Problems }) {
  const { t } = useTranslation('session')
  return (
    <>
      <Field label={t('field.email')} name="email" type="email" autoComplete="email" autoCapitalize="none" error={problems.email} />
      <Field
        label={t('field.phone')}
        name="phone"
        type="tel"
        autoComplete="tel"
        labelEnd={<span className="small muted">{t('field.optional')}</span>}
        error={problems.phone}
      />
      <PasswordField
        label={t('field.password')}
        name="password"
        autoComplete="new-password"
        showLabel={t('field.showPassword')}
        hideLabel={t('field.hidePassword')}
        hint={t('field.passwordHint')}
        error={problems.password}
      />
    </>
  )
}

function TermsField({ problems }: { problems: Problems }) {
  return (
    <Checkbox
      name="acceptTerms"
      value="true"
      error={problems.acceptTerms}
      label={
        <Trans ns="session" i18nKey="register.terms" components={{ terms: <Link to={paths.terms} target="_blank" className="link" /> }} />
      }
    />
  )
}

export default function RegisterPage() {
  const { t } = useTranslation('session')
  const [query] = useSearchParams()
  const from = returnLocation(query.get('from'))
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [role, setRole] = useState<Role>(query.get('role') === 'isPro' ? 'isPro' : 'isClient')
  const { busy, problems, mend, register } = useRegistration(from)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.current || busy) return
    const found = await register(form.current, role)
    if (form.current) focusFirstProblem(form.current, Object.keys(found))
  }

  return (
    <FormPage scene={scene} title={t(`register.title.${role}`)} text={t(`register.text.${role}`)}>
      <PageHead title={t('register.head')} />
      <div className={styles.role}>
        <RoleSelector role={role} onChange={setRole} />
      </div>
      <ProviderButton role={role} from={from} />
      <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} onInput={mend} noValidate>
        <NameFields problems={problems} />
        <ContactFields problems={problems} />
        <TermsField problems={problems} />
        <Button type={hydrated ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('register.submit')}
        </Button>
      </form>
      <p className={styles.other}>
        {t('register.known')}{' '}
        <Link to={loginPath(from ?? undefined)} className="link">
          {t('register.login')}
        </Link>
      </p>
    </FormPage>
  )
}
