// What stands in the place of a page that is not there or did not work.
import { useTranslation } from '#/platform/translation.ts'
import { isRouteErrorResponse } from 'react-router'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths } from '#/paths.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import styles from './page-error.module.css'

function isNotFound(error: unknown): boolean {
  return (isRouteErrorResponse(error) || error instanceof ApiError) && error.status === 404
}

/** `retry` belongs to a call that failed: such a failure is shown as it came. */
export function PageError({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation('site')
  const kind = !retry && isNotFound(error) ? 'notFound' : 'failed'
  const away = (
    <ButtonLink to={paths.institutes} variant={kind === 'notFound' ? 'solid' : 'text'}>
      {t('error.institutes')}
    </ButtonLink>
  )
  return (
    <div className={`page ${styles.place}`}>
      <PageHead title={t(`error.${kind}.title`)} />
      {kind === 'notFound' ? (
        <EmptyState as="h1" vignette="door" title={t('error.notFound.title')} action={away}>
          {t('error.notFound.text')}
        </EmptyState>
      ) : (
        <ErrorState
          as="h1"
          title={t('error.failed.title')}
          retryLabel={t('error.retry')}
          onRetry={retry ?? (() => location.reload())}
          action={away}
        >
          {retry ? failureText(error) : t('error.failed.text')}
        </ErrorState>
      )}
    </div>
  )
}
