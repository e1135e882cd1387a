import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'

export const links = dashboardLinks

export const handle = { namespaces: ['dashboard'] }

export default function SalesPage() {
  const { t } = useTranslation('dashboard')
  return (
    <>
      <PageHead title={t('links.sales')} />
      <h1 className="d2">{t('links.sales')}</h1>
    </>
  )
}
