// My Salon for who sees their own visits alone: these are in the calendar.
import type { ReactNode } from 'react'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'

export function OwnVisits({ timeOff }: { timeOff: ReactNode }) {
  const { t } = useTranslation('dashboard')
  return (
    <>
      <EmptyState title={t('ownVisits.title')} action={<ButtonLink to={paths.diary}>{t('ownVisits.action')}</ButtonLink>}>
        {t('ownVisits.text')}
      </EmptyState>
      {timeOff}
    </>
  )
}
