// Sales for who may not see money: said so, with a way on.
import { paths } from '#/paths.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'

export function NotForYou() {
  const { t } = useTranslation('sales')
  return (
    <>
      <PageHead title={t('title')} />
      <h1 className="d2">{t('title')}</h1>
      <EmptyState title={t('forbidden.title')} action={<ButtonLink to={paths.diary}>{t('forbidden.action')}</ButtonLink>}>
        {t('forbidden.text')}
      </EmptyState>
    </>
  )
}
