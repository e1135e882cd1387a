// The settings of an institute: a list of parts beside the part that is open. What somebody may not change is not offered.
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { instituteSettingsPath } from '#/dashboard-paths.ts'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { ExportPart } from './export-part.tsx'
import { HoursPart } from './hours-part.tsx'
import { NotificationsPart } from './notifications-part.tsx'
import { DocumentsPart } from './money/documents-part.tsx'
import { PaymentsPart } from './money/payments-part.tsx'
import { PermissionsPart, type Permissions } from './permissions-part.tsx'
import { ProfilePart } from './profile-part.tsx'
import { RulesPart } from './rules-part.tsx'
import { useSettings } from './use-settings.ts'
import styles from './institute-settings.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'institute-settings', 'labels', 'forms'] }

const changing = {
  profile: ProfilePart,
  hours: HoursPart,
  rules: RulesPart,
  payments: PaymentsPart,
  documents: DocumentsPart,
  notifications: NotificationsPart,
} as const
type ChangingName = keyof typeof changing
type PartName = ChangingName | 'permissions' | 'export'
const changingNames = Object.keys(changing) as ChangingName[]

const partsFor = ({ own }: Permissions): PartName[] => [
  ...(own.includes('institute.change') ? changingNames : []),
  'permissions',
  ...(own.includes('institute.export') ? (['export'] as const) : []),
]

function PartNav({ parts, current }: { parts: readonly PartName[]; current: PartName }) {
  const { t } = useTranslation('institute-settings')
  return (
    <nav className={styles.parts} aria-label={t('parts.label')}>
      {parts.map((part) => (
        <Link
          key={part}
          to={instituteSettingsPath(part)}
          className={classNames(part === current && styles.currentPart)}
          aria-current={part === current ? 'page' : undefined}
        >
          {t(`parts.${part}`)}
        </Link>
      ))}
    </nav>
  )
}

function ChangingPart({ part }: { part: ChangingName }) {
  const { t } = useTranslation('institute-settings')
  const { data, error, refetch } = useSettings()
  const Part = changing[part]
  if (error && !data)
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
      {data && <Part settings={data} />}
    </Loading>
  )
}

function Parts({ permissions }: { permissions: Permissions }) {
  const { t } = useTranslation('institute-settings')
  const { part: asked } = useParams()
  const parts = partsFor(permissions)
  const part = asked === undefined ? parts[0] : parts.find((one) => one === asked)
  if (part === undefined) return <Navigate to={paths.instituteSettings} replace />
  return (
    <div className={styles.place}>
      <PartNav parts={parts} current={part} />
      <div className={styles.content}>
        <PageHead title={t(`parts.${part}`)} />
        <h1 className="d2">{t(`parts.${part}`)}</h1>
        <p className={`lede ${styles.about}`}>{t(`about.${part}`)}</p>
        {part === 'permissions' && <PermissionsPart data={permissions} />}
        {part === 'export' && <ExportPart />}
        {part !== 'permissions' && part !== 'export' && <ChangingPart key={part} part={part} />}
      </div>
    </div>
  )
}

export default function InstituteSettingsPage() {
  const { t } = useTranslation('institute-settings')
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.institute.permissions,
    queryFn: ({ signal }) => dashboardApi.ownPermissions({}, { signal }),
  })
  if (error && !data)
    return (
      <>
        <h1 className="d2">{t('title')}</h1>
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      </>
    )
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
      {data && <Parts permissions={data} />}
    </Loading>
  )
}
