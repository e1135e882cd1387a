// View Salon: the public page as clients see it, each part with the way to change it.
import type { Institute } from '@soigne/contract/institutes'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { Gallery } from '#/features/institute/gallery.tsx'
import { Grades } from '#/features/institute/grades.tsx'
import { HoursAndPlace } from '#/features/institute/hours-and-place.tsx'
import { InstituteHeading } from '#/features/institute/institute-heading.tsx'
import { ServiceMenu } from '#/features/institute/service-menu.tsx'
import { Team } from '#/features/institute/team.tsx'
import { PlaceMap } from '#/map/place-map.tsx'
import { instituteSettingsPath } from '#/dashboard-paths.ts'
import { paths, salonPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { buttonClass, ButtonLink } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import styles from './own-salon-page.module.css'

export const handle = { namespaces: ['dashboard', 'institute', 'cart', 'labels', 'classes', 'map', 'prices', 'reviews'] }

const nothingChosen: ReadonlySet<string> = new Set()

type PartProps = { name: 'profile' | 'services' | 'team' | 'hours'; to: string; children: ReactNode }

function Part({ name, to, children }: PartProps) {
  const { t } = useTranslation('dashboard')
  return (
    <div className={styles.part}>
      <Link to={to} className={buttonClass({ variant: 'soft', size: 'small' })}>
        {t('salon.edit', { what: t(`salon.${name}`) })}
      </Link>
      {children}
    </div>
  )
}

function Parts({ institute }: { institute: Institute }) {
  const [now] = useState(() => Date.now())
  const { _id, slug, name, location, address } = institute
  const map = <PlaceMap id={_id} name={name} location={location} quarter={address.quarter} city={address.city} />
  return (
    <>
      <Gallery institute={institute} />
      <Part name="profile" to={instituteSettingsPath('profile')}>
        <InstituteHeading institute={institute} now={now} heart={null} level={2} />
      </Part>
      <Part name="services" to={paths.services}>
        <ServiceMenu institute={institute} chosen={nothingChosen} togglePath={() => salonPath(slug)} />
      </Part>
      <Part name="team" to={paths.team}>
        <Team team={institute.team} />
      </Part>
      <Grades institute={institute}>{null}</Grades>
      <Part name="hours" to={instituteSettingsPath('hours')}>
        <HoursAndPlace institute={institute} now={now} map={map} />
      </Part>
    </>
  )
}

function PublicPage({ slug }: { slug: string }) {
  const { t } = useTranslation('dashboard')
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.publicPage(slug),
    queryFn: ({ signal }) => dashboardApi.institute({ params: { slug } }, { signal }),
  })
  if (error && !data)
    return (
      <ErrorState title={t('salon.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!data} label={t('salon.loading')} skeleton={<RowSkeleton />}>
      {data && <Parts institute={data} />}
    </Loading>
  )
}

export default function OwnSalonPage() {
  const { t } = useTranslation('dashboard')
  const institute = useUser()?.institute
  if (!institute) return null
  return (
    <>
      <PageHead title={t('links.viewSalon')} />
      <div className={styles.heading}>
        <div>
          <h1 className="d2">{t('links.viewSalon')}</h1>
          <p className="lede muted">{t('salon.text')}</p>
        </div>
        <ButtonLink to={salonPath(institute.slug)} variant="outline" icon="eye">
          {t('salon.open')}
        </ButtonLink>
      </div>
      <PublicPage slug={institute.slug} />
    </>
  )
}
