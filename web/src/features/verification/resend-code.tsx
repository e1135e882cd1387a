// Asking for a new code, at most once a minute.
import { useEffect, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { resendCooldownMs } from '#/contract/limits.ts'
import styles from './email-confirmation.module.css'

/** A wait in which nothing can be asked for, counted down on screen. */
function useCooldown() {
  const [wait, setWait] = useState({ until: 0, now: 0 })
  const seconds = Math.max(0, Math.ceil((wait.until - wait.now) / 1000))
  const waiting = seconds > 0
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => setWait(({ until }) => ({ until, now: Date.now() })), 250)
    return () => clearInterval(timer)
  }, [waiting])
  function start(milliseconds: number) {
    const now = Date.now()
    setWait({ until: now + milliseconds, now })
  }
  return { seconds, start }
}

export function ResendCode() {
  const { t } = useTranslation('verification')
  const { refresh } = useSessionActions()
  const [busy, setBusy] = useState(false)
  const { seconds, start } = useCooldown()

  function refused(error: unknown) {
    const timeLeft = error instanceof ApiError ? error.body.timeLeft : undefined
    if (timeLeft !== undefined) {
      start(timeLeft)
      showToast({ type: 'error', title: t('wait', { count: Math.ceil(timeLeft / 1000) }) })
      return
    }
    showToast({ type: 'error', title: failureText(error) })
    // Confirmed in another tab meanwhile: the session knows.
    if (error instanceof ApiError && error.code === 'wrong_state') void refresh()
  }
  async function resend() {
    setBusy(true)
    try {
      await api.resendVerification()
      start(resendCooldownMs)
      showToast({ type: 'success', title: t('sent') })
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }

  if (seconds > 0) {
    return (
      <span className={`small muted tabular ${styles.wait}`} role="timer">
        {t('wait', { count: seconds })}
      </span>
    )
  }
  return (
    <Button variant="text" loading={busy} onClick={() => void resend()}>
      {t('resend')}
    </Button>
  )
}
