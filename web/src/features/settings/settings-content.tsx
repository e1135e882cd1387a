// Settings: one page, each part with its heading on one side and what can be changed on the other.
import type { OwnProfile } from '@soigne/contract/settings'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { buttonClass } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { Appearance } from './appearance.tsx'
import { CalendarPart } from './calendar-part.tsx'
import { CardsPart } from './cards-part.tsx'
import { DataPart } from './data-part.tsx'
import { DeviceList } from './device-list.tsx'
import { NotifyPart } from './notify-part.tsx'
import { PasswordPart } from './password-part.tsx'
import { PictureField } from './picture-field.tsx'
import { ProfileForm } from './profile-form.tsx'
import styles from './settings.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['settings', 'forms', 'fees', 'calendars'] }

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <div>
        <h2 className="d4">{title}</h2>
        <p className={`small muted ${styles.about}`}>{text}</p>
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

function ProfilePart({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation('settings')
  return (
    <Part title={t('profile.title')} text={t('profile.text')}>
      <PictureField />
      <ProfileForm profile={profile} />
      <Appearance />
    </Part>
  )
}

function TrustRow() {
  const { t } = useTranslation('settings')
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <div>
          <p className="strong">{t('trust.title')}</p>
          <p className="small muted">{t('trust.text')}</p>
        </div>
      </div>
      <Link to={paths.verification} className={buttonClass({ variant: 'outline' })}>
        {t('trust.open')}
      </Link>
    </div>
  )
}

/** Other ways to log in, beside the password. */
type SettingsParts = { passkeys?: ((hasPassword: boolean) => ReactNode) | undefined }

function Settings({ passkeys }: SettingsParts) {
  const { t } = useTranslation('settings')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.ownProfile,
    queryFn: ({ signal }) => api.ownProfile({}, { signal }),
  })
  if (error && !data)
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  const skeleton = (
    <>
      <RowSkeleton />
      <RowSkeleton />
      <RowSkeleton />
    </>
  )
  return (
    <Loading loading={isPending} label={t('loading')} skeleton={skeleton}>
      {data && (
        <>
          <ProfilePart profile={data} />
          <Part title={t('security.title')} text={t('security.text')}>
            <TrustRow />
            <PasswordPart profile={data} />
            {passkeys?.(data.hasPassword)}
            <DeviceList />
          </Part>
          <CardsPart
            part={(title, text, content) => (
              <Part title={title} text={text}>
                {content}
              </Part>
            )}
          />
          <CalendarPart
            part={(title, text, content) => (
              <Part title={title} text={text}>
                {content}
              </Part>
            )}
          />
          <Part title={t('notify.title')} text={t('notify.text')}>
            <NotifyPart />
          </Part>
          <Part title={t('data.title')} text={t('data.text')}>
            <DataPart hasPassword={data.hasPassword} />
          </Part>
        </>
      )}
    </Loading>
  )
}

export function SettingsContent({ passkeys }: SettingsParts) {
  const { t } = useTranslation('settings')
  const user = useUser()
  return (
    <div className={`page ${styles.place}`}>
      <PageHead title={t('title')} />
      <h1 className="d2">{t('title')}</h1>
      {user && <Settings key={user.id} passkeys={passkeys} />}
    </div>
  )
}
