// What the parts of the settings are made of: a row for each setting, and the bar that says what is not stored yet.
import type { HitVisit } from '@soigne/contract/institute-settings'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import styles from './institute-settings.module.css'

export type SettingRowProps = { title: string; hint?: string | undefined; children: ReactNode }

export function SettingRow({ title, hint, children }: SettingRowProps) {
  return (
    <div className={styles.setting}>
      <div className={styles.settingWords}>
        <p className="strong">{title}</p>
        {hint && <p className="small muted">{hint}</p>}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  )
}

export type NumberChoiceProps = {
  title: string
  hint?: string
  /** Null is a choice like the others. */
  values: readonly (number | null)[]
  value: number | null
  labelOf: (value: number | null) => string
  onChange: (value: number | null) => void
}

/** A number among a few; one stored that is none of them stands beside them. */
export function NumberChoice({ title, hint, values, value, labelOf, onChange }: NumberChoiceProps) {
  const known = values.includes(value) ? values : [...values, value].toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity))
  return (
    <SettingRow title={title} hint={hint}>
      <Segmented
        label={title}
        size="small"
        className={styles.segments}
        options={known.map((one) => ({ value: String(one), label: labelOf(one) }))}
        value={String(value)}
        onChange={(text) => onChange(text === 'null' ? null : Number(text))}
      />
    </SettingRow>
  )
}

export type SaveBarProps = { changes: number; isSaving: boolean; note?: string; onUndo: () => void; onSave: () => void }

export function SaveBar({ changes, isSaving, note, onUndo, onSave }: SaveBarProps) {
  const { t } = useTranslation('institute-settings')
  if (changes === 0) return null
  return (
    <div className={styles.saveBar} role="region" aria-label={t('save.label')}>
      <p className="small muted" role="status">
        {t('save.changes', { count: changes })} {note}
      </p>
      <Button variant="text" onClick={onUndo}>
        {t('save.undo')}
      </Button>
      <Button loading={isSaving} onClick={onSave}>
        {t('save.save')}
      </Button>
    </div>
  )
}

/** Visits that lie where the institute is closed now: named, so that none is lost. */
export type HitVisitsProps = { title: string; visits: readonly HitVisit[]; timeZone: string; children?: ReactNode }

export function HitVisits({ title, visits, timeZone, children }: HitVisitsProps) {
  const { t } = useTranslation('institute-settings')
  const times = useTimes()
  const link = (
    <Link className="link" to={paths.diary}>
      {t('openCalendar')}
    </Link>
  )
  return (
    <Notice tone="warning" title={title} action={link} announce>
      {children}
      <ul className={styles.hits}>
        {visits.map(({ _id, startsAt, customer, services, staff }) => (
          <li key={_id}>
            <bdi className="strong tabular">
              {times.dayOfInstant(startsAt, timeZone)} {times.time(startsAt, timeZone)}
            </bdi>{' '}
            <bdi>{customer.name || t('someone')}</bdi> · {services.join(', ')} · <bdi>{staff.join(', ')}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
