// One member of the team, opened: who it is, what they do, and the weeks they work.
import { useId, useState } from 'react'
import { languages } from '#/contract/closed-lists.ts'
import { dateText } from '#/platform/dashboard-time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { type DayAhead, daysAhead, weekLetters } from '#/rota-weeks.ts'
import { Button } from '#/ui/button.tsx'
import { addDays, mondayOf } from '#/ui/calendar-days.ts'
import { Checkbox, Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { type DraftMember, freeWeek, type SetupDraft } from './draft/draft.ts'
import { nameIn } from './draft/name-in.ts'
import { weeksOf } from './draft/send-draft.ts'
import { WeekField } from './week-field.tsx'
import styles from './team-step.module.css'

/** As far as the ends of two months. */
const weeksAhead = 8

type WeekLeft = { monday: string; week: number; days: string[] }

/** The days worked, week by week, from today on; a week that is worked off is left out. */
function weeksLeft(days: readonly DayAhead<unknown>[], today: string): WeekLeft[] {
  return Array.from({ length: days.length / 7 }, (_, at) => days.slice(at * 7, at * 7 + 7)).flatMap((all) => {
    const worked = all.flatMap(({ day, shifts }) => (shifts.length > 0 ? [day] : []))
    const left = worked.filter((day) => day >= today)
    const [first] = all
    return first && (left.length > 0 || worked.length === 0) ? [{ monday: first.day, week: first.week, days: left }] : []
  })
}

/** Wed 30 Dec · Thu 31 · Fri 1 Jan: the month where it begins. */
function datesText(days: readonly string[], locale: string): string {
  return days
    .map((day, at) => {
      const isSameMonth = days[at - 1]?.slice(0, 7) === day.slice(0, 7)
      // A date stays in one line.
      return dateText(day, locale, { weekday: 'short', day: 'numeric', ...(!isSameMonth && { month: 'short' }) }).replaceAll(' ', '\u00A0')
    })
    .join(' · ')
}

/** The weeks to come, each with the days on which somebody works: a rota is seen, not reckoned. */
function Ahead({ member, draft, today }: { member: DraftMember; draft: SetupDraft; today: string }) {
  const { t, i18n } = useTranslation('setup')
  const id = useId()
  const letters = weekLetters(i18n.language)
  const rota = { anchorDay: member.anchorDay === '' ? today : member.anchorDay, weeks: weeksOf(member, draft) }
  return (
    <div className={styles.ahead}>
      <p id={id} className="label-heading">
        {t('team.ahead')}
      </p>
      <ol aria-labelledby={id}>
        {weeksLeft(daysAhead(rota, today, weeksAhead), today).map(({ monday, week, days }) => (
          <li key={monday}>
            <span className="strong">{letters[week]}</span>
            <span>{days.length === 0 ? t('team.nothing') : datesText(days, i18n.language)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

type MemberEditorProps = {
  member: DraftMember
  draft: SetupDraft
  today: string
  onChange: (part: Partial<DraftMember>) => void
  onClose: () => void
}

function Does({ member, draft, onChange }: Omit<MemberEditorProps, 'onClose' | 'today'>) {
  const { t, i18n } = useTranslation('setup')
  if (draft.services.length === 0) return <p className="small muted">{t('team.noServices')}</p>
  return (
    <div role="group" aria-label={t('team.does')} className={styles.does}>
      <p className="label-heading">{t('team.does')}</p>
      {draft.services.map(({ key, name }) => (
        <Checkbox
          key={key}
          label={nameIn(name, i18n.language) || t('services.unnamed')}
          checked={!member.skips.includes(key)}
          onChange={() =>
            onChange({ skips: member.skips.includes(key) ? member.skips.filter((one) => one !== key) : [...member.skips, key] })
          }
        />
      ))}
    </div>
  )
}

/** How many weeks repeat, which of them is shown, and when the first begins. */
function Rota({
  member,
  at,
  today,
  onShow,
  onChange,
}: Omit<MemberEditorProps, 'onClose' | 'draft'> & { at: number; onShow: (week: number) => void }) {
  const { t, i18n } = useTranslation('setup')
  const { weeks } = member
  const firstMonday = mondayOf(today)
  const mondays = Array.from({ length: 4 }, (_, week) => addDays(firstMonday, 7 * week))
  function setCount(count: number) {
    const last = weeks.at(-1)
    onChange({ weeks: Array.from({ length: count }, (_, week) => weeks[week] ?? structuredClone(last ?? freeWeek())) })
    onShow(count - 1)
  }
  return (
    <>
      <p className="label-heading">{t('team.repeats')}</p>
      <Segmented
        label={t('team.repeats')}
        options={['1', '2', '3', '4'].map((value) => ({ value, label: t('team.weeks', { count: Number(value) }) }))}
        value={String(weeks.length)}
        onChange={(count) => setCount(Number(count))}
        size="small"
      />
      {weeks.length > 1 && (
        <div className={styles.rota}>
          <Segmented
            label={t('team.week')}
            options={weeks.map((_, week) => ({
              value: String(week),
              label: t('team.weekNamed', { letter: weekLetters(i18n.language)[week] }),
            }))}
            value={String(at)}
            onChange={(week) => onShow(Number(week))}
            size="small"
          />
          <label className={styles.begins}>
            <span className="small">{t('team.begins')}</span>
            <select value={member.anchorDay} onChange={(event) => onChange({ anchorDay: event.target.value })}>
              {[...new Set([...(member.anchorDay === '' ? [] : [member.anchorDay]), ...mondays])].map((monday) => (
                <option key={monday} value={monday}>
                  {dateText(monday, i18n.language, { weekday: 'short', day: 'numeric', month: 'short' })}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
    </>
  )
}

function Hours({ member, draft, today, onChange }: Omit<MemberEditorProps, 'onClose'>) {
  const { t, i18n } = useTranslation('setup')
  const [shown, setShown] = useState(0)
  const { hours, weeks } = member
  const at = Math.min(shown, Math.max(0, weeks.length - 1))
  function choose(next: DraftMember['hours']) {
    const isFirst = next === 'own' && weeks.length === 0
    onChange({ hours: next, ...(isFirst && { weeks: weeksOf(member, draft), anchorDay: mondayOf(today) }) })
  }
  return (
    <div className={styles.hours}>
      <p className="label-heading">{t('team.hours')}</p>
      <Segmented
        label={t('team.hours')}
        options={[
          { value: 'salon', label: t('team.asSalon') },
          { value: 'own', label: t('team.own') },
        ]}
        value={hours}
        onChange={choose}
      />
      {hours === 'own' && (
        <>
          <Rota member={member} at={at} today={today} onShow={setShown} onChange={onChange} />
          {weeks[at] && (
            <WeekField
              label={t('team.weekNamed', { letter: weekLetters(i18n.language)[at] })}
              week={weeks[at]}
              withBreaks
              onChange={(week) => onChange({ weeks: weeks.map((one, index) => (index === at ? week : one)) })}
            />
          )}
          <Ahead member={member} draft={draft} today={today} />
        </>
      )}
    </div>
  )
}

export function MemberEditor(props: MemberEditorProps) {
  const { member, onChange, onClose } = props
  const { t } = useTranslation(['setup', 'labels'])
  return (
    <section className={`raised ${styles.edit}`} aria-label={member.name || t('setup:team.new')}>
      <div className={styles.editHead}>
        <h3 className="d4">
          <bdi>{member.name || t('setup:team.new')}</bdi>
        </h3>
        <IconButton icon="close" label={t('setup:team.done')} onClick={onClose} />
      </div>
      <div className={styles.pair}>
        <Field
          label={t('setup:team.name')}
          maxLength={80}
          value={member.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Field
          label={t('setup:team.title')}
          maxLength={80}
          value={member.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </div>
      <div role="group" aria-label={t('setup:team.speaks')}>
        <p className="label-heading">{t('setup:team.speaks')}</p>
        <div className={styles.chips}>
          {languages.map((name) => (
            <FilterChip
              key={name}
              selected={member.languages.includes(name)}
              onClick={() => onChange({ languages: languages.filter((one) => member.languages.includes(one) !== (one === name)) })}
            >
              {t(`labels:languages.${name}`)}
            </FilterChip>
          ))}
        </div>
      </div>
      <Does {...props} />
      <Hours {...props} />
      <Switch
        label={t('setup:team.online')}
        checked={member.bookableOnline}
        onChange={() => onChange({ bookableOnline: !member.bookableOnline })}
      />
      <Button variant="soft" icon="check" onClick={onClose}>
        {t('setup:team.done')}
      </Button>
    </section>
  )
}
