// `/give-access`: visits in one's own calendar. What the provider sends back comes here too.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { keepOrigin, keptOrigin } from '#/left-from.ts'
import { giveAccessPath, paths, providerPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { PageHead } from '#/platform/page-head.tsx'
import { usePageSettings } from '#/platform/page-settings.ts'
import { returnLocation } from '#/platform/return-location.ts'
import { useSessionActions, useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { TwoCalendars } from './two-calendars.tsx'
import styles from './give-access.module.css'

export const handle = { namespaces: ['calendars'] }

const skipSeconds = 5

/** Seconds until skipping is offered, counted down from the first paint. */
function useSkipCountdown(): number {
  const [left, setLeft] = useState(skipSeconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  return left
}

function Skip({ to }: { to: string }) {
  const { t } = useTranslation('calendars')
  const left = useSkipCountdown()
  const circle = 2 * Math.PI * 11
  return (
    <div className={styles.skip}>
      {left > 0 ? (
        <p className={styles.wait} role="timer">
          <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
            <circle cx="13" cy="13" r="11" className={styles.track} />
            <circle cx="13" cy="13" r="11" className={styles.left} strokeDasharray={`${(circle * left) / skipSeconds} ${circle}`} />
          </svg>
          <span>
            <Trans ns="calendars" i18nKey="skipIn" count={left} components={{ b: <b className={styles.figure} /> }} />
          </span>
        </p>
      ) : (
        <Link to={to} className={buttonClass({ variant: 'text' })}>
          {t('skip')}
        </Link>
      )}
    </div>
  )
}

/** Takes what the provider sent back, once. */
function useReturn() {
  const { t } = useTranslation('calendars')
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const { refresh } = useSessionActions()
  const isTaken = useRef(false)
  const [code, state, iss] = [query.get('code'), query.get('state'), query.get('iss')]

  async function connect(googleToken: string, given: string) {
    try {
      const { message, from } = await api.connectCalendar({ body: { googleToken, state: given, ...(iss !== null && { iss }) } })
      showToast({ type: 'success', title: message })
      await navigate(returnLocation(from) ?? paths.home, { replace: true })
      await refresh()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
      await navigate(giveAccessPath(keptOrigin()), { replace: true })
    }
  }
  const take = useEffectEvent(() => {
    if (isTaken.current || state === null) return
    isTaken.current = true
    if (code !== null) return void connect(code, state)
    showToast({ type: 'error', title: t('notGranted') })
    void navigate(giveAccessPath(keptOrigin()), { replace: true })
  })
  useEffect(() => take(), [])
  return { isConnecting: code !== null && state !== null }
}

function Connect({ from }: { from: string | null }) {
  const { t } = useTranslation('calendars')
  const { signIn } = usePageSettings()
  const user = useUser()
  // Calendars are Google's, or what stands in for them.
  if (signIn !== 'Google') return <p className="muted">{t('unavailable')}</p>
  return (
    <a
      href={providerPath({ role: user?.role ?? null, from, forCalendar: true })}
      onClick={() => keepOrigin(from)}
      className={buttonClass({ variant: 'solid', size: 'large', wide: true })}
    >
      <span className={styles.letter} aria-hidden="true">
        G
      </span>
      {t('connect')}
    </a>
  )
}

export default function GiveAccessPage() {
  const { t } = useTranslation('calendars')
  const [query] = useSearchParams()
  const from = returnLocation(query.get('from'))
  const user = useUser()
  const { isConnecting } = useReturn()
  if (user?.hasGoogleCalendarAccess && !isConnecting) return <Navigate to={paths.home} replace />
  return (
    <div className={`page ${styles.frame}`}>
      <PageHead title={t('title')} />
      <TwoCalendars />
      <h1 className={`d2 ${styles.title}`}>{t('title')}</h1>
      <p className={`lede ${styles.lede}`} role={isConnecting ? 'status' : undefined}>
        {isConnecting ? t('connecting') : t('lede')}
      </p>
      <ul className={styles.points}>
        {(['one', 'names', 'away'] as const).map((point) => (
          <li key={point}>
            <Icon name="check" size={20} />
            <span>{t(`points.${point}`)}</span>
          </li>
        ))}
      </ul>
      {!isConnecting && (
        <>
          <Connect from={from} />
          <Skip to={from ?? paths.home} />
        </>
      )}
    </div>
  )
}
