// Sales: what was paid. Nothing is paid over the product yet, and the page says so.
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['sales'] }

export default function SalesPage() {
  const { t } = useTranslation('sales')
  return (
    <>
      <PageHead title={t('title')} />
      <h1 className="d2">{t('title')}</h1>
      <EmptyState title={t('none.title')} action={<ButtonLink to={paths.mySalon}>{t('none.action')}</ButtonLink>}>
        {t('none.text')}
      </EmptyState>
    </>
  )
}
