// Email Confirmation: takes the place of the page until the six digits from the mail are right.
import { codeLength } from '#/contract/limits.ts'
import { useState, type FormEvent } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { setPendingRedirect, useSessionActions, useUser } from '#/platform/session.tsx'
import { accessOf, useSiteRoute } from '#/guards.ts'
import { paths } from '#/paths.ts'
import { vignetteAddress } from '#/theme/art/art-address.ts'
import { Button } from '#/ui/button.tsx'
import { CodeInput } from '#/ui/code-input.tsx'
import { showToast } from '#/ui/toasts.ts'
import { HeldTime } from './held-time.tsx'
import { ResendCode } from './resend-code.tsx'
import styles from './email-confirmation.module.css'

/** Sends the code; a refused one stays refused until the digits are gone or sent again. */
function useConfirmation() {
  const { refresh } = useSessionActions()
  const user = useUser()
  const route = useSiteRoute()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(false)

  async function confirm(code: string) {
    setBusy(true)
    setRefused(false)
    try {
      const { message } = await api.verifyEmail({ body: { code } })
      showToast({ type: 'success', title: message })
      // A sign-in page is no place to come back to.
      if (accessOf(route) === 'guest') setPendingRedirect(user?.role === 'isPro' ? paths.mySalon : paths.home)
      await refresh()
    } catch (error) {
      const refusal = refusalCode(error)
      if (refusal === 'code_wrong' || refusal === 'code_expired' || refusal === 'bad_input') setRefused(true)
      if (refusal !== 'code_wrong') showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, confirm, forgive: () => setRefused(false) }
}

function useCancel(): () => void {
  const { close } = useSessionActions()
  return () => {
    close(paths.home).catch((error: unknown) => showToast({ type: 'error', title: failureText(error) }))
  }
}

export function EmailConfirmation() {
  const { t } = useTranslation('verification')
  const user = useUser()
  const cancel = useCancel()
  const [code, setCode] = useState('')
  const { busy, refused, confirm, forgive } = useConfirmation()
  const full = code.length === codeLength

  function type(next: string) {
    setCode(next)
    if (next === '') forgive()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (full && !busy) void confirm(code)
  }

  return (
    <div className={styles.screen}>
      <PageHead title={t('title')} />
      <img className="art" src={vignetteAddress('letter')} alt="" width={240} height={150} />
      <h1 className={`d2 ${styles.title}`}>{t('title')}</h1>
      <p className={styles.text}>
        <Trans
          ns="verification"
          i18nKey="text"
          values={{ email: user?.email ?? '' }}
          components={{ email: <bdi className={`strong ${styles.email}`} /> }}
        />
      </p>
      <HeldTime />
      <form className={styles.form} onSubmit={submit} noValidate>
        <CodeInput label={t('code')} value={code} onChange={type} error={refused && code !== '' ? t('invalid') : undefined} autoFocus />
        <p className="small muted">{t('hint')}</p>
        <Button type="submit" size="large" wide loading={busy} disabled={!full}>
          {t('confirm')}
        </Button>
        <div className={styles.more}>
          <Button variant="text" onClick={cancel}>
            {t('cancel')}
          </Button>
          <ResendCode />
        </div>
      </form>
    </div>
  )
}
