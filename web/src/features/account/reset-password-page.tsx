// A forgotten password: asking for a link, and setting a new password with the one that came by mail.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api } from '#/platform/api.ts'
import { ApiError, failureText, fieldFailures, refusalCode } from '#/platform/api-error.ts'
import { useAwake } from '#/platform/awake.ts'
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
import { AccountFrame } from './account-frame.tsx'
import { passwordMinimum } from './password-rule.ts'
import { looksLikeEmail, typedFields } from './typed-fields.ts'
import styles from './account-form.module.css'

export const handle = { namespaces: ['account'] }

function BackToLogin() {
  const { t } = useTranslation('account')
  return (
    <Link to={loginPath()} className={styles.back}>
      <Icon name="chevron-start" size={18} />
      {t('reset.back')}
    </Link>
  )
}

function RequestLink() {
  const { t } = useTranslation('account')
  const awake = useAwake()
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
    const found = looksLikeEmail(email) ? undefined : t('problem.emailWrong')
    setProblem(found)
    setAnswer(undefined)
    if (found === undefined && !busy) void ask(email.trim())
  }

  return (
    <AccountFrame scene="reset" title={t('reset.title')} text={t('reset.text')}>
      <PageHead title={t('reset.head')} />
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label={t('field.email')} name="email" type="email" autoComplete="username" error={problem} />
        <Button type={awake ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('reset.send')}
        </Button>
      </form>
      {answer && (
        <Notice tone="kind" icon="mail" announce title={answer} className={styles.notice}>
          {t('reset.sentText')}
        </Notice>
      )}
      <BackToLogin />
    </AccountFrame>
  )
}

function ExpiredLink({ message }: { message: string }) {
  const { t } = useTranslation('account')
  return (
    <AccountFrame scene="reset" title={t('reset.expiredTitle')} text={message}>
      <PageHead title={t('reset.head')} />
      <div className={styles.form}>
        <ButtonLink to={paths.resetPassword} size="large" wide>
          {t('reset.another')}
        </ButtonLink>
      </div>
      <BackToLogin />
    </AccountFrame>
  )
}

function NewPassword({ token, onExpired }: { token: string; onExpired: (message: string) => void }) {
  const { t } = useTranslation('account')
  const awake = useAwake()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** A link works once: what remains is the way to the login, also when the alert is closed by its cross. */
  const [done, setDone] = useState(false)

  async function change(password: string) {
    setBusy(true)
    try {
      const { message } = await api.resetPassword({ body: { token, password } })
      setDone(true)
      showAlert({ type: 'success', title: t('reset.doneTitle'), message, redirectTo: loginPath() })
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
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { password } = typedFields(event.currentTarget, ['password'])
    const found = password.length < passwordMinimum ? t('problem.passwordShort') : undefined
    setProblem(found)
    if (found === undefined && !busy) void change(password)
  }

  if (done) {
    return (
      <AccountFrame scene="reset" title={t('reset.doneTitle')}>
        <PageHead title={t('reset.head')} />
        <BackToLogin />
      </AccountFrame>
    )
  }
  return (
    <AccountFrame scene="reset" title={t('reset.newTitle')} text={t('reset.newText')}>
      <PageHead title={t('reset.head')} />
      <form className={styles.form} onSubmit={submit} noValidate>
        <PasswordField
          label={t('field.newPassword')}
          name="password"
          autoComplete="new-password"
          showLabel={t('field.showPassword')}
          hideLabel={t('field.hidePassword')}
          hint={t('field.passwordHint')}
          error={problem}
        />
        <Button type={awake ? 'submit' : 'button'} size="large" wide loading={busy}>
          {t('reset.change')}
        </Button>
      </form>
      <BackToLogin />
    </AccountFrame>
  )
}

/** Asks whether the link is still good before anything is typed. */
function WithToken({ token }: { token: string }) {
  const { t } = useTranslation('account')
  const [expired, setExpired] = useState<string>()
  const check = useQuery({
    queryKey: ['reset-token', token],
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
    <AccountFrame scene="reset" title={t('reset.newTitle')} text={t('reset.checking')}>
      <PageHead title={t('reset.head')} />
      <div className={styles.form}>
        <Skeleton height={48} />
        <Skeleton height={56} />
      </div>
    </AccountFrame>
  )
}

export default function ResetPasswordPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return token ? <WithToken key={token} token={token} /> : <RequestLink />
}
