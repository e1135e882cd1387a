// The team as it is, words stored in several languages, and lengths as the reader reads them.
import type { Locale } from '@soigne/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'

const order: readonly Locale[] = ['en', 'fr', 'ar']

/** The word in the reader's language, else in another. */
export function useWords(): (words: Readonly<Partial<Record<Locale, string | undefined>>>) => string {
  const { i18n } = useTranslation()
  const own = order.find((locale) => locale === i18n.language) ?? 'en'
  return (words) => words[own] || order.map((locale) => words[locale]).find(Boolean) || ''
}

/** 7 h 20, 40 min. */
export function useLength(): (minutes: number) => string {
  const { t } = useTranslation('team')
  return (minutes) => {
    const hours = Math.floor(minutes / 60)
    const rest = minutes % 60
    if (hours === 0) return t('length.minutes', { minutes: rest })
    return rest === 0 ? t('length.hours', { hours }) : t('length.both', { hours, minutes: String(rest).padStart(2, '0') })
  }
}

/** The team as it is; asked again after every change. */
export const useTeam = () => useQuery({ queryKey: dashboardKeys.team, queryFn: ({ signal }) => dashboardApi.team({}, { signal }) })
