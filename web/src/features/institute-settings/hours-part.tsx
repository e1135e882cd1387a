// When the institute is open, and the days it is not.
import type { HitVisit, InstituteSettings } from '@soigne/contract/institute-settings'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Closures } from './closures.tsx'
import { HitVisits, SaveBar } from './setting-parts.tsx'
import { useDraft } from './use-settings.ts'
import { overlaps, WeekEditor } from './week-editor.tsx'
import { WhatIfPanel } from './what-if.tsx'
import styles from './institute-settings.module.css'

export function HoursPart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const [outside, setOutside] = useState<readonly HitVisit[]>([])
  const draft = useDraft('openingHours', settings, setOutside)
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <h2 className="d4">{t('hours.week')}</h2>
        <WeekEditor week={draft.value} onChange={draft.set} />
        <p className="small muted">
          {t('hours.shifts')}{' '}
          <Link className="link" to={paths.team}>
            {t('hours.team')}
          </Link>
        </p>
        {outside.length > 0 && (
          <HitVisits title={t('hours.outside', { count: outside.length })} visits={outside} timeZone={settings.timeZone}>
            {t('hours.outsideText')}
          </HitVisits>
        )}
        <WhatIfPanel asked={draft.changes > 0 && overlaps(draft.value).size === 0 ? { openingHours: draft.value } : null} />
        <SaveBar
          changes={draft.changes}
          isSaving={draft.isSaving}
          note={t('hours.note')}
          onUndo={draft.undo}
          onSave={() => void (overlaps(draft.value).size === 0 && draft.save())}
        />
      </section>
      <Closures timeZone={settings.timeZone} />
    </div>
  )
}
