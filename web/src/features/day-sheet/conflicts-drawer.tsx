// Everything the server refused of what was done without a connection, until somebody has chosen.
import { useId } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useMay } from '#/use-may.ts'
import { Conflict } from './conflict.tsx'
import type { Desk } from './desk.ts'
import styles from './day-sheet.module.css'

export function ConflictsDrawer({ desk, zone, Frame }: { desk: Desk; zone: string; Frame: FrameOf }) {
  const { t } = useTranslation('day-sheet')
  const title = useId()
  const mayOverbook = useMay('diary.overbook')
  const head = (
    <h2 id={title} className="d4">
      {t('conflict.title')}
    </h2>
  )
  return (
    <Frame labelledBy={title} head={head}>
      {desk.refused.length === 0 ? (
        <p role="status" className="muted">
          {t('conflict.none')}
        </p>
      ) : (
        <div className={styles.conflicts}>
          <p className="muted">{t('conflict.text')}</p>
          {desk.refused.map((change) => (
            <Conflict key={change.id + change.key} change={change} zone={zone} desk={desk} mayOverbook={mayOverbook} />
          ))}
        </div>
      )}
    </Frame>
  )
}
