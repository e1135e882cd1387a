// Signing in with email, password and the role of the account.
import type { Role } from '@soigne/contract/wire'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link, useSearchParams } from 'react-router'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { returnLocation } from '#/platform/return-location.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { paths, registerPath } from '#/paths.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { FormPage, type Scene } from '#/ui/form-page.tsx'
import { otherRoleOf } from './other-role.ts'
import { ProviderButton } from './provider-button.tsx'
import { wayToProvider } from './provider-way.ts'
import { RoleSelector } from './role-selector.tsx'
import { focusFirstProblem, typedFields, withoutMended } from '#/ui/typed-fields.ts'
import { useProviderReturn } from './use-provider-return.ts'
import styles from './session-form.module.css'

export const handle = { namespaces: ['session'] }

const scene: Scene = [
  { category: 'hair', seed: 'login', height: 68 },
  { category: 'massage', seed: 'stones', height: 86 },
  { category: 'eyebrows', seed: 'closed', height: 56 },
]

const fieldNames = ['email', 'password'] as const
type Problems = { email?: string; password?: string }

/** Where an account is led by its role, whichever way it came in. */
function useLanding(from: string | null) {
  const { open } = useSessionActions()
  return (token: string, role: Role) => open(token, role === 'isPro' ? paths.mySalon : (from ?? paths.home))
}

/** Signs in; says how it ended through the page: another page, a toast, or the account's other role. */
function useLogin(from: string | null) {
  const land = useLanding(from)
  const [busy, setBusy] = useState(false)
  const [otherRole, setOtherRole] = useState<Role | null>(null)
  async function login(email: string, password: string, role: Role) {
    setBusy(true)
    setOtherRole(null)
    try {
      const { token, user } = await api.login({ body: { email, password, role } })
      await land(token, user.role)
    } catch (error) {
      setOtherRole(otherRoleOf(error))
      showToast({ type: 'error', title: failureText(error) })
      setBusy(false)
    }
  }
  return { busy, otherRole, login }
}

function OtherRole({ role, onSwitch }: { role: Role; onSwitch: () => void }) {
  const { t } = useTranslation('session')
  const action = (
    <Button variant="soft" size="small" onClick={onSwitch}>
      {t('login.switch', { role: t(`role.${role}.title`) })}
    </Button>
  )
  return (
    <Notice tone="info" announce action={action} className={styles.notice}>
      {t(`login.otherRole.${role}`)}
    </Notice>
  )
}

function LoginFields({ problems }: { problems: Problems }) {
  const { t } = useTranslation('session')
  return (
    <>
      <Field label={t('field.email')} name="email" type="email" autoComplete="username" autoCapitalize="none" error={problems.email} />
      <PasswordField
        label={t('field.password')}
        name="password"
        autoComplete="current-password"
        showLabel={t('field.showPassword')}
        hideLabel={t('field.hidePassword')}
        error={problems.password}
        labelEnd={
          <Link to={paths.resetPassword} className="link small">
            {t('login.forgotten')}
          </Link>
        }
      />
    </>
  )
}

function NewHere({ from }: { from: string | null }) {
  const { t } = useTranslation('session')
  return (
    <p className={styles.other}>
      {t('login.new')}{' '}
      <Link to={registerPath(from ?? undefined)} className="link">
        {t('login.signUp')}
      </Link>
    </p>
  )
}

function ProviderPart({ role, otherRole, from }: { role: Role; otherRole: Role | null; from: string | null }) {
  return (
    <>
      {otherRole && <OtherRole role={otherRole} onSwitch={() => window.location.assign(wayToProvider(otherRole, from))} />}
      <ProviderButton role={role} from={from} />
    </>
  )
}

/** What the provider says is being read; the form would only flash. */
function Returning() {
  const { t } = useTranslation('session')
  return (
    <FormPage scene={scene} title={t('login.title')} text={<span role="status">{t('provider.returning')}</span>}>
      <PageHead title={t('login.head')} />
      {null}
    </FormPage>
  )
}

/** `otherWay` leads in without the form; whom it lets in lands where the form leads. */
export function LoginContent({ otherWay }: { otherWay?: (onToken: (token: string, role: Role) => Promise<void>) => ReactNode }) {
  const { t } = useTranslation('session')
  const [query] = useSearchParams()
  const from = returnLocation(query.get('from'))
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [role, setRole] = useState<Role>('isClient')
  const [problems, setProblems] = useState<Problems>({})
  const { busy, otherRole, login } = useLogin(from)
  const land = useLanding(from)
  const provider = useProviderReturn()

  function send(as: Role) {
    if (!form.current || busy) return
    const { email, password } = typedFields(form.current, fieldNames)
    const found: Problems = {
      ...(email.trim() ? {} : { email: t('problem.emailMissing') }),
      ...(password ? {} : { password: t('problem.passwordMissing') }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0) focusFirstProblem(form.current, Object.keys(found))
    else void login(email.trim(), password, as)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    send(role)
  }
  function switchRole(other: Role) {
    setRole(other)
    send(other)
  }

  if (provider.isReturning) return <Returning />
  return (
    <FormPage scene={scene} title={t('login.title')} text={from ? t('login.comeBack') : undefined}>
      <PageHead title={t('login.head')} />
      <div className={styles.role}>
        <RoleSelector role={role} onChange={setRole} />
      </div>
      <ProviderPart role={role} otherRole={provider.otherRole} from={from} />
      {otherRole && otherRole !== role && <OtherRole role={otherRole} onSwitch={() => switchRole(otherRole)} />}
      <form
        ref={form}
        className={styles.form}
        onSubmit={submit}
        onInput={(event) => setProblems((found) => withoutMended(found, event))}
        noValidate
      >
        <LoginFields problems={problems} />
        <Button type={hydrated ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('login.submit')}
        </Button>
      </form>
      {otherWay?.(land)}
      <NewHere from={from} />
    </FormPage>
  )
}
