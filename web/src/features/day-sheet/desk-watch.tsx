// On every page of My Salon: what waits is sent, and what the server refused is not forgotten.
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { useDesk, useDeskWatch } from './desk.ts'
import styles from './day-sheet.module.css'

/** The calendar says it by itself, in more words. */
export function DeskWatch({ isCalendar }: { isCalendar: boolean }) {
  const { t } = useTranslation('day-sheet')
  const { refused } = useDesk()
  useDeskWatch()
  if (isCalendar || refused.length === 0) return null
  return (
    <Notice
      tone="error"
      icon="warning"
      announce
      className={styles.elsewhere}
      title={t('refused', { count: refused.length })}
      action={
        <ButtonLink to={`${paths.diary}?choose=1`} variant="outline" size="small">
          {t('choose')}
        </ButtonLink>
      }
    >
      {t('refusedText')}
    </Notice>
  )
}
