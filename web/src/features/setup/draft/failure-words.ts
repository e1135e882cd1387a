// Why something failed: the server's sentence; or that there was no answer, which browsers say in words of their own.
import { ApiError, failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'

export function useFailureWords(): (error: unknown) => string {
  const { t } = useTranslation('setup')
  return (error) => (error instanceof ApiError ? failureText(error) : t('unreached'))
}
