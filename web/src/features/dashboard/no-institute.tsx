// My Salon before there is one: the way into the setup.
import { paths } from '#/paths.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'

export function NoInstitute() {
  const { t } = useTranslation('dashboard')
  return (
    <>
      <PageHead title={t('head')} />
      <h1 className="d2">{t('head')}</h1>
      <EmptyState
        vignette="door"
        title={t('noInstitute.title')}
        action={<ButtonLink to={paths.setup}>{t('noInstitute.action')}</ButtonLink>}
      >
        {t('noInstitute.text')}
      </EmptyState>
    </>
  )
}
