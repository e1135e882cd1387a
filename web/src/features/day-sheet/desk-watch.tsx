// On every page of My Salon: what waits is sent, and what the server refused is not forgotten.
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Notice } from '#/ui/notice.tsx'
import { useDesk, useDeskWatch } from './desk.ts'
import { forgetSheet } from './sheet.ts'
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

/** Signing out takes the kept days along; what the server does not have yet is asked about. */
export function useDeskLogout(logout: () => void): () => void {
  const { t } = useTranslation('day-sheet')
  const desk = useDesk()
  return () => {
    const leave = async () => {
      const count = desk.changes.length
      if (count > 0 && !(await askConfirm({ title: t('logout.title', { count }), message: t('logout.text') }))) return
      for (const change of desk.changes) await desk.drop(change)
      if (desk.owner !== null) await forgetSheet(desk.owner)
      logout()
    }
    void leave()
  }
}
