// Above the calendar: that it is the kept one and from when, what waits, and what somebody has to choose.
import { timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import styles from './day-sheet.module.css'

type SheetNoticeProps = {
  /** Since when what is shown is known; null while there is a connection. */
  asOf: string | null
  zone: string
  waiting: number
  refused: number
  onChoose: () => void
}

export function SheetNotice({ asOf, zone, waiting, refused, onChoose }: SheetNoticeProps) {
  const { t } = useTranslation('day-sheet')
  return (
    <div className={styles.notices}>
      {asOf !== null && (
        <Notice tone="warning" icon="offline" announce title={t('asOf', { time: timeText(asOf, zone) })}>
          {t('offline')}
        </Notice>
      )}
      {waiting > 0 && (
        <Notice icon="clock" announce title={t('waiting', { count: waiting })}>
          {t(asOf === null ? 'beingSent' : 'sentLater')}
        </Notice>
      )}
      {refused > 0 && (
        <Notice
          tone="error"
          icon="warning"
          announce
          title={t('refused', { count: refused })}
          action={
            <Button variant="outline" size="small" onClick={onChoose}>
              {t('choose')}
            </Button>
          }
        >
          {t('refusedText')}
        </Notice>
      )}
    </div>
  )
}

/** Another day than those that are kept. */
export function NotKept({ onDay }: { onDay: (daysAhead: number) => void }) {
  const { t } = useTranslation('day-sheet')
  return (
    <section className={styles.notKept}>
      <h2 className="d4">{t('notKept.title')}</h2>
      <p className="muted">{t('notKept.text')}</p>
      <p className={styles.actions}>
        <Button variant="outline" onClick={() => onDay(0)}>
          {t('notKept.today')}
        </Button>
        <Button variant="outline" onClick={() => onDay(1)}>
          {t('notKept.tomorrow')}
        </Button>
      </p>
    </section>
  )
}
