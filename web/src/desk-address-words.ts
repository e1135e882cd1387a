// What the fields of a client's address are called at the desk.
import { useTranslation } from '#/platform/translation.ts'

export function useDeskAddressWords() {
  const { t } = useTranslation('diary')
  return {
    line: t('where.line'),
    postalCode: t('where.postalCode'),
    city: t('where.city'),
    statusText: (count: number, loading: boolean) => (loading ? t('where.looking') : t('where.found', { count })),
  }
}
