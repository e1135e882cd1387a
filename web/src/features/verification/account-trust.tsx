// What is verified about an account. Before the email is, the layout shows Email Confirmation in its place.
import type { SessionUser } from '@soigne/contract/session'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { factName, FactRow } from '#/fact-row.tsx'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { PageHead } from '#/platform/page-head.tsx'
import { usePageSettings } from '#/platform/page-settings.ts'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './account-trust.module.css'

function Verified({ is }: { is: boolean }) {
  const { t } = useTranslation('verification')
  return is ? <StatusChip status="completed" label={t('trust.yes')} /> : <StatusChip status="neutral" label={t('trust.no')} />
}

/** A row that is not known yet, or could not be asked for. */
function NotThere({ error, title, onRetry }: { error: Error | null; title: string; onRetry: () => void }) {
  const { t } = useTranslation('verification')
  return (
    <li>
      {error ? (
        <ErrorState title={title} retryLabel={t('trust.retry')} onRetry={onRetry}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading label={t('trust.loading')} skeleton={<RowSkeleton />}>
          {null}
        </Loading>
      )}
    </li>
  )
}

function EmailRow({ user }: { user: SessionUser }) {
  const { t } = useTranslation('verification')
  return (
    <FactRow icon="mail" title={t('trust.email')} state={<Verified is={user.isEmailVerified} />}>
      <Trans
        ns="verification"
        i18nKey="trust.emailText"
        values={{ email: user.email }}
        components={{ email: <bdi className={factName} /> }}
      />
    </FactRow>
  )
}

/** A connected calendar alone opens no account; the profile tells what does. */
function ProviderRow({ user, provider }: { user: SessionUser; provider: string }) {
  const { t } = useTranslation('verification')
  const title = t('trust.provider', { provider })
  const { isConnectedGoogle } = user
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.ownProfile,
    queryFn: ({ signal }) => api.ownProfile({}, { signal }),
    enabled: isConnectedGoogle,
  })
  if (isConnectedGoogle && !data) return <NotThere error={error} title={title} onRetry={() => void refetch()} />
  const is = data?.hasProvider ?? false
  return (
    <FactRow icon="key" title={title} state={<Verified is={is} />}>
      {t(is ? 'trust.providerYes' : 'trust.providerNo', { provider })}
    </FactRow>
  )
}

/** Nothing where no provider of calendars is configured. */
function CalendarRow() {
  const { t } = useTranslation('verification')
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.calendars,
    queryFn: ({ signal }) => api.calendars({}, { signal }),
  })
  if (!data) return <NotThere error={error} title={t('trust.failed')} onRetry={() => void refetch()} />
  const { connection, provider } = data
  if (!connection && provider === null) return null
  const way = (label: string) => (
    <Link to={`${paths.giveAccess}?from=${paths.verification}`} className={buttonClass({ variant: 'outline', size: 'small' })}>
      {label}
    </Link>
  )
  if (!connection)
    return (
      <FactRow icon="calendar" title={t('trust.calendar')} state={<Verified is={false} />} way={way(t('trust.connect'))}>
        {t('trust.calendarNo')}
      </FactRow>
    )
  if (connection.state === 'broken') {
    const state = <StatusChip status="pending" icon="warning" label={t('trust.broken')} />
    return (
      <FactRow icon="calendar" title={t('trust.calendar')} state={state} way={provider !== null && way(t('trust.again'))}>
        {t('trust.calendarBroken')}
      </FactRow>
    )
  }
  const { account } = connection
  return (
    <FactRow icon="calendar" title={t('trust.calendar')} state={<Verified is />}>
      {account === null ? (
        t('trust.calendarYes')
      ) : (
        <Trans
          ns="verification"
          i18nKey="trust.calendarAccount"
          values={{ account }}
          components={{ account: <bdi className={factName} /> }}
        />
      )}
    </FactRow>
  )
}

/** `business`: the row of whoever has a business. */
export function AccountTrust({ business }: { business?: ReactNode }) {
  const { t } = useTranslation('verification')
  const user = useUser()
  const { signIn } = usePageSettings()
  return (
    <div className={`page ${styles.place}`}>
      <PageHead title={t('trust.title')} />
      <h1 className="d2">{t('trust.title')}</h1>
      <p className={`lede ${styles.lede}`}>{t('trust.lede')}</p>
      {user && (
        <ul className={styles.list}>
          <EmailRow user={user} />
          {signIn !== null && <ProviderRow user={user} provider={signIn} />}
          <CalendarRow />
          {user.role === 'isPro' && business}
        </ul>
      )}
      <p className={`small muted ${styles.note}`}>
        <Icon name="lock" size={18} />
        <span>{t('trust.note')}</span>
      </p>
    </div>
  )
}
