// What clients may do by themselves, and until when, with the sentences the rules make.
import { minutesOfDay } from '@soigne/contract/time'
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { lengthText } from '#/platform/dashboard-time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Segmented } from '#/ui/segmented.tsx'
import { NumberChoice, SaveBar, SettingRow } from './setting-parts.tsx'
import { useDraft, type Draft } from './use-settings.ts'
import { changedRules, WhatIfPanel } from './what-if.tsx'
import styles from './institute-settings.module.css'

const hour = 60
const grids = [5, 10, 15, 20, 30, 60]
const notices = [0, 20, hour, 2 * hour, minutesOfDay]
const horizons = [28, 60, 90, 180]
const waits = [0, 10, 20, 40]
const cancelWindows = [0, 2 * hour, 6 * hour, minutesOfDay, 2 * minutesOfDay, null]
const moveWindows = [0, 2 * hour, 6 * hour, minutesOfDay, null]

function useWindows() {
  const { t, i18n } = useTranslation('institute-settings')
  const length = (minutes: number): string => lengthText(minutes, i18n.language)
  return {
    length,
    orNone: (minutes: number | null): string => (minutes ? length(minutes) : t('rules.none')),
    /** Until when, seen from the start of a visit. */
    before: (minutes: number): string => (minutes === 0 ? t('windows.start') : t('windows.before', { time: length(minutes) })),
  }
}

function RulesPreview({ rules, name }: { rules: InstituteSettings['rules']; name: string }) {
  const { t } = useTranslation('institute-settings')
  const { length, before } = useWindows()
  const { cancelWindowMinutes: cancel, rescheduleWindowMinutes: move, noticeMinutes, horizonDays } = rules
  const sentences = [
    noticeMinutes === 0 ? t('preview.noticeNone') : t('preview.notice', { time: length(noticeMinutes) }),
    t('preview.horizon', { count: horizonDays }),
    cancel === null ? t('preview.cancelNever', { name }) : t('preview.cancel', { time: before(cancel) }),
    ...(cancel !== null && cancel > 0 ? [t('preview.cancelAfter', { name })] : []),
    move === null ? t('preview.moveNever', { name }) : t('preview.move', { time: before(move) }),
  ]
  const isNever = cancel === null
  return (
    <aside className={styles.preview} aria-label={t('preview.title')}>
      <p className="small muted">{t('preview.title')}</p>
      <div className={styles.paper}>
        {sentences.map((sentence) => (
          <p key={sentence} className={styles.sentence}>
            {sentence}
          </p>
        ))}
        <div className={styles.threeParts} aria-hidden>
          {!isNever && <i data-part="free" />}
          {(isNever || cancel > 0) && <i data-part="late" />}
          <i data-part="visit" />
        </div>
        <p className={`fine muted ${styles.partNames}`} aria-hidden>
          <span>{t('preview.booked')}</span>
          {!isNever && cancel > 0 && <bdi>{before(cancel)}</bdi>}
          <span>{t('preview.start')}</span>
        </p>
      </div>
    </aside>
  )
}

type PartProps = { draft: Draft<'rules'> }

function BookingRules({ draft: { value: rules, set } }: PartProps) {
  const { t } = useTranslation('institute-settings')
  const { length, orNone } = useWindows()
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('rules.booking')}</h2>
      <NumberChoice
        title={t('rules.grid')}
        hint={t('rules.gridHint')}
        values={grids}
        value={rules.gridMinutes}
        labelOf={String}
        onChange={(value) => set({ gridMinutes: value ?? 20 })}
      />
      <NumberChoice
        title={t('rules.notice')}
        hint={t('rules.noticeHint')}
        values={notices}
        value={rules.noticeMinutes}
        labelOf={orNone}
        onChange={(value) => set({ noticeMinutes: value ?? 0 })}
      />
      <NumberChoice
        title={t('rules.horizon')}
        hint={t('rules.horizonHint')}
        values={horizons}
        value={rules.horizonDays}
        labelOf={(value) => length((value ?? 1) * minutesOfDay)}
        onChange={(value) => set({ horizonDays: value ?? 90 })}
      />
      <NumberChoice
        title={t('rules.wait')}
        hint={t('rules.waitHint')}
        values={waits}
        value={rules.maxWaitMinutes}
        labelOf={orNone}
        onChange={(value) => set({ maxWaitMinutes: value ?? 0 })}
      />
    </section>
  )
}

function OfferingRules({ draft: { value: rules, set } }: PartProps) {
  const { t } = useTranslation('institute-settings')
  const gaps = (['off', 'rank', 'hide'] as const).map((value) => ({ value, label: t(`rules.gapPolicies.${value}`) }))
  const orders = (['given', 'best'] as const).map((value) => ({ value, label: t(`rules.orders.${value}`) }))
  return (
    <section className={styles.section}>
      <SettingRow title={t('rules.gaps')} hint={t(`rules.gapsHint.${rules.gapPolicy}`)}>
        <Segmented
          label={t('rules.gaps')}
          size="small"
          options={gaps}
          value={rules.gapPolicy}
          onChange={(gapPolicy) => set({ gapPolicy })}
        />
      </SettingRow>
      <SettingRow title={t('rules.order')} hint={t('rules.orderHint')}>
        <Segmented
          label={t('rules.order')}
          size="small"
          options={orders}
          value={rules.serviceOrder}
          onChange={(serviceOrder) => set({ serviceOrder })}
        />
      </SettingRow>
    </section>
  )
}

function ChangingRules({ draft: { value: rules, set } }: PartProps) {
  const { t } = useTranslation('institute-settings')
  const { length } = useWindows()
  const until = (value: number | null) => (value === null ? t('rules.never') : value === 0 ? t('rules.atStart') : length(value))
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('rules.changing')}</h2>
      <NumberChoice
        title={t('rules.cancel')}
        hint={t('rules.cancelHint')}
        values={cancelWindows}
        value={rules.cancelWindowMinutes}
        labelOf={until}
        onChange={(cancelWindowMinutes) => set({ cancelWindowMinutes })}
      />
      <NumberChoice
        title={t('rules.move')}
        hint={t('rules.moveHint')}
        values={moveWindows}
        value={rules.rescheduleWindowMinutes}
        labelOf={until}
        onChange={(rescheduleWindowMinutes) => set({ rescheduleWindowMinutes })}
      />
    </section>
  )
}

export function RulesPart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('rules', settings)
  return (
    <div className={styles.withPreview}>
      <div>
        <BookingRules draft={draft} />
        <OfferingRules draft={draft} />
        <ChangingRules draft={draft} />
        <WhatIfPanel asked={changedRules(settings.rules, draft.value)} />
        <SaveBar
          changes={draft.changes}
          isSaving={draft.isSaving}
          note={t('rules.note')}
          onUndo={draft.undo}
          onSave={() => void draft.save()}
        />
      </div>
      <RulesPreview rules={draft.value} name={settings.profile.name} />
    </div>
  )
}
