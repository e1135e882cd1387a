// A forgotten password: asking for a link, and setting a new password with the one that came by mail.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link, useSearchParams } from 'react-router'
import { api } from '#/platform/api.ts'
import { ApiError, failureText, fieldFailures, refusalCode } from '#/platform/api-error.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { loginPath, paths } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { showAlert } from '#/ui/alerts.ts'
import { showToast } from '#/ui/toasts.ts'
import { FormPage, type Scene } from '#/ui/form-page.tsx'
import { passwordMinimum } from '#/contract/limits.ts'
import { queryKeys } from '#/query-keys.ts'
import { looksLikeEmail, typedFields } from '#/ui/typed-fields.ts'
import styles from './password-form.module.css'

export const handle = { namespaces: ['password'] }

const scene: Scene = [
  { category: 'counseling', seed: 'thread', height: 72 },
  { category: 'skincare', seed: 'drops', height: 56 },
  { category: 'tatto', seed: 'feather', height: 84 },
]

function BackToLogin() {
  const { t } = useTranslation('password')
  return (
    <Link to={loginPath()} className={styles.back}>
      <Icon name="chevron-start" size={18} />
      {t('back')}
    </Link>
  )
}

function RequestLink() {
  const { t } = useTranslation('password')
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [answer, setAnswer] = useState<string>()

  async function ask(email: string) {
    setBusy(true)
    try {
      setAnswer((await api.requestPasswordReset({ body: { email } })).message)
    } catch (error) {
      setProblem(fieldFailures(error)['email'])
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { email } = typedFields(event.currentTarget, ['email'])
    const found = !email.trim() ? t('problem.emailMissing') : looksLikeEmail(email) ? undefined : t('problem.emailWrong')
    setProblem(found)
    setAnswer(undefined)
    if (found === undefined && !busy) void ask(email.trim())
  }

  return (
    <FormPage scene={scene} title={t('title')} text={t('text')}>
      <PageHead title={t('head')} />
      <form className={styles.form} onSubmit={submit} onInput={() => setProblem(undefined)} noValidate>
        <Field label={t('field.email')} name="email" type="email" autoComplete="username" error={problem} />
        <Button type={hydrated ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('send')}
        </Button>
      </form>
      {answer && (
        <Notice tone="kind" icon="mail" announce title={answer} className={styles.notice}>
          {t('sentText')}
        </Notice>
      )}
      <BackToLogin />
    </FormPage>
  )
}

function ExpiredLink({ message }: { message: string }) {
  const { t } = useTranslation('password')
  return (
    <FormPage scene={scene} title={t('expiredTitle')} text={message}>
      <PageHead title={t('head')} />
      <div className={styles.form}>
        <ButtonLink to={paths.resetPassword} size="large" wide>
          {t('another')}
        </ButtonLink>
      </div>
      <BackToLogin />
    </FormPage>
  )
}

/** Changes the password; an expired link and a refused password are told apart. */
function usePasswordChange(token: string, onExpired: (message: string) => void) {
  const { t } = useTranslation('password')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** A link works once: what remains is the way to the login, also when the alert is closed by its cross. */
  const [done, setDone] = useState(false)
  async function change(password: string) {
    setBusy(true)
    try {
      const { message } = await api.resetPassword({ body: { token, password } })
      setDone(true)
      showAlert({ type: 'success', title: t('doneTitle'), message, redirectTo: loginPath() })
    } catch (error) {
      const code = refusalCode(error)
      if (code === 'link_expired') onExpired(failureText(error))
      else if (code === 'password_common') setProblem(failureText(error))
      else setProblem(fieldFailures(error)['password'])
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, done, change }
}

function Done() {
  const { t } = useTranslation('password')
  return (
    <FormPage scene={scene} title={t('doneTitle')}>
      <PageHead title={t('head')} />
      <BackToLogin />
    </FormPage>
  )
}

function NewPassword({ token, onExpired }: { token: string; onExpired: (message: string) => void }) {
  const { t } = useTranslation('password')
  const hydrated = useHydrated()
  const { busy, problem, setProblem, done, change } = usePasswordChange(token, onExpired)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { password } = typedFields(event.currentTarget, ['password'])
    const found = password.length < passwordMinimum ? t('problem.passwordShort') : undefined
    setProblem(found)
    if (found === undefined && !busy) void change(password)
  }
  if (done) return <Done />
  return (
    <FormPage scene={scene} title={t('newTitle')} text={t('newText')}>
      <PageHead title={t('head')} />
      <form className={styles.form} onSubmit={submit} onInput={() => setProblem(undefined)} noValidate>
        <PasswordField
          label={t('field.newPassword')}
          name="password"
          autoComplete="new-password"
          showLabel={t('field.showPassword')}
          hideLabel={t('field.hidePassword')}
          hint={t('field.passwordHint')}
          error={problem}
        />
        <Button type={hydrated ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('change')}
        </Button>
      </form>
      <BackToLogin />
    </FormPage>
  )
}

/** Asks whether the link is still good before anything is typed. */
function WithToken({ token }: { token: string }) {
  const { t } = useTranslation('password')
  const [expired, setExpired] = useState<string>()
  const check = useQuery({
    queryKey: queryKeys.resetToken(token),
    queryFn: ({ signal }) => api.validateResetToken({ query: { token } }, { signal }),
    staleTime: Infinity,
  })
  const failure = check.error
  const refused = failure instanceof ApiError && failure.status < 500
  useEffect(() => {
    if (failure && !refused) showToast({ type: 'error', title: failureText(failure) })
  }, [failure, refused])
  if (expired !== undefined) return <ExpiredLink message={expired} />
  if (refused) return <ExpiredLink message={failureText(failure)} />
  // A check that could not be made keeps nobody out: the change itself checks again.
  if (check.isSuccess || failure) return <NewPassword token={token} onExpired={setExpired} />
  return (
    <FormPage scene={scene} title={t('newTitle')} text={t('checking')}>
      <PageHead title={t('head')} />
      <div className={styles.form}>
        <Skeleton height={48} />
        <Skeleton height={56} />
      </div>
    </FormPage>
  )
}

export default function ResetPasswordPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return token ? <WithToken key={token} token={token} /> : <RequestLink />
}
