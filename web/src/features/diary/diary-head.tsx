// Above the calendar: what is shown, the ways to another day or view, the people, and what colours mean.
import { useState } from 'react'
import type { Diary } from '@soigne/contract/diary'
import { useTranslation } from '#/platform/translation.ts'
import { Popover } from '#/kit/popover.tsx'
import { dateText } from '#/platform/dashboard-time.ts'
import { dayText, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { monthOf } from '#/ui/calendar-days.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { MonthGrid } from '#/ui/month-grid.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { diaryViews, type DiaryView } from './diary-address.ts'
import styles from './diary.module.css'

function DayPicker({ day, today, onDay }: { day: string; today: string; onDay: (day: string) => void }) {
  const { t } = useTranslation('diary')
  const { locale } = useTimes()
  const [month, setMonth] = useState(monthOf(day))
  return (
    <MonthGrid
      month={month}
      onMonthChange={setMonth}
      selected={day}
      onSelect={onDay}
      today={today}
      dayState={() => 'room'}
      locale={locale}
      firstWeekday={1}
      labels={{ previousMonth: t('previousMonth'), nextMonth: t('nextMonth'), state: () => '' }}
    />
  )
}

export type DiaryHeadProps = {
  view: DiaryView
  day: string
  today: string
  title: string
  onView: (view: DiaryView) => void
  onDay: (day: string) => void
  onStep: (by: number) => void
  onNew: () => void
}

export function DiaryHead({ view, day, today, title, onView, onDay, onStep, onNew }: DiaryHeadProps) {
  const { t } = useTranslation('diary')
  return (
    <div className={styles.head}>
      <div className={styles.heading}>
        <h1 className="d2">{title}</h1>
        <div className={styles.ways}>
          <IconButton icon="chevron-start" label={t(`steps.${view}.previous`)} onClick={() => onStep(-1)} />
          <IconButton icon="chevron-end" label={t(`steps.${view}.next`)} onClick={() => onStep(1)} />
          <Popover icon="calendar" label={t('pickDay')} labelHidden>
            {(close) => (
              <DayPicker
                day={day}
                today={today}
                onDay={(picked) => {
                  close()
                  onDay(picked)
                }}
              />
            )}
          </Popover>
          {day !== today && (
            <Button variant="outline" size="small" onClick={() => onDay(today)}>
              {t('today')}
            </Button>
          )}
        </div>
      </div>
      <div className={styles.tools}>
        <Segmented
          label={t('view')}
          value={view}
          onChange={onView}
          options={diaryViews.map((value) => ({ value, label: t(`views.${value}`) }))}
        />
        <Button icon="plus" className={styles.add} aria-label={t('newVisit')} onClick={onNew}>
          <span className={styles.addWord}>{t('appointment')}</span>
        </Button>
      </div>
    </div>
  )
}

const legend = [
  ['completed', styles.completed],
  ['deposit_paid', styles.depositPaid],
  ['pending', styles.pending],
  ['cancelled', styles.cancelled],
] as const

export function Legend() {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {legend.map(([status, tone]) => (
        <li key={status}>
          <i aria-hidden="true" className={classNames(styles.swatch, tone)} />
          {label(`statuses.${status}`)}
        </li>
      ))}
      <li>
        <i aria-hidden="true" className={classNames(styles.swatch, styles.hatched)} />
        {t('blocked')}
      </li>
    </ul>
  )
}

export type PeopleProps = {
  members: Diary['members']
  chosen: string | null
  onChoose: (staffId: string | null) => void
  /** All of them at once is a choice too. */
  hasEveryone: boolean
}

/** Who is shown: as chips, and as faces on a phone. */
export function People({ members, chosen, onChoose, hasEveryone }: PeopleProps) {
  const { t } = useTranslation('diary')
  return (
    <div className={styles.people} role="radiogroup" aria-label={t('people')}>
      {hasEveryone && (
        <label className={styles.person}>
          <input type="radio" name="diary-person" checked={chosen === null} onChange={() => onChoose(null)} />
          <span className={styles.all}>
            <Icon name="users" size={20} />
          </span>
          {t('everyone')}
        </label>
      )}
      {members.map((member) => (
        <label key={member._id} className={styles.person}>
          <input type="radio" name="diary-person" checked={chosen === member._id} onChange={() => onChoose(member._id)} />
          <FaceImage name={member.name} photoUrl={member.imageUrl} size={28} />
          <bdi>{member.name}</bdi>
        </label>
      ))}
    </div>
  )
}

/** Thursday 20 November; 17 to 23 November; November 2026. */
export function useDiaryTitle(view: DiaryView, span: { from: string; to: string }, today: string, isNarrow: boolean): string {
  const { t } = useTranslation('diary')
  const { locale, month } = useTimes()
  if (view === 'agenda') return t('views.agenda')
  if (view === 'month') return month(span.from)
  if (view === 'day') {
    if (!isNarrow) return dayText(span.from, today, locale, 'full')
    return dateText(span.from, locale, { weekday: 'short', day: 'numeric', month: 'short' })
  }
  const sameMonth = monthOf(span.from) === monthOf(span.to)
  const from = dateText(span.from, locale, sameMonth ? { day: 'numeric' } : { day: 'numeric', month: 'short' })
  const to = dateText(span.to, locale, { day: 'numeric', month: sameMonth && !isNarrow ? 'long' : 'short' })
  return t('weekTitle', { from, to })
}
