// Step 3: who works here, when, and what each of them does.
import type { SessionUser } from '@soigne/contract/session'
import { dayMs } from '@soigne/contract/time'
import { useEffect, useState } from 'react'
import { languages, weekdays } from '#/contract/closed-lists.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { addDays, weekdayOf } from '#/ui/calendar-days.ts'
import { Checkbox, Switch } from '#/ui/checkbox.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { type DraftMember, freeWeek, newKey, type SetupDraft, type Words } from './draft/draft.ts'
import { moved } from './draft/moved.ts'
import { weeksOf } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { WeekField } from './week-field.tsx'
import styles from './team-step.module.css'

type StepProps = {
  draft: SetupDraft
  change: DraftChange
  user: SessionUser
  /** On the calendar of the institute. */
  today: string
}

const letters = ['A', 'B', 'C', 'D']
/** As far as the ends of two months. */
const weeksAhead = 8

export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))

const nameIn = (words: Words, locale: string): string => words[locale as keyof Words] ?? words.en ?? words.fr ?? words.ar ?? ''

const newMember = (part: Partial<DraftMember>): DraftMember => ({
  key: newKey(),
  name: '',
  title: '',
  isMe: false,
  languages: [],
  bookableOnline: true,
  skips: [],
  hours: 'salon',
  anchorDay: '',
  weeks: [],
  ...part,
})

/** Which week of the rota begins on a Monday, across the ends of years too. */
export function rotaWeekOn(monday: string, anchorDay: string, count: number): number {
  const noon = (day: string) => parseInstant(`${day}T12:00:00Z`)
  const weeks = Math.round((noon(monday) - noon(anchorDay)) / (7 * dayMs))
  return ((weeks % count) + count) % count
}

/** The weeks to come, each with the days on which somebody works: a rota is seen, not reckoned. */
function Ahead({ member, draft, today }: { member: DraftMember; draft: SetupDraft; today: string }) {
  const { t } = useTranslation('setup')
  const times = useTimes()
  const weeks = weeksOf(member, draft)
  const first = mondayOf(today)
  const anchor = member.anchorDay === '' ? first : member.anchorDay
  const dayName = (day: string) => times.day(day, 'UTC', 'short')
  return (
    <div className={styles.ahead}>
      <p className="label-heading">{t('team.ahead')}</p>
      <ol>
        {Array.from({ length: weeksAhead }, (_, at) => addDays(first, 7 * at)).map((monday) => {
          const week = rotaWeekOn(monday, anchor, weeks.length)
          const days = weekdays.flatMap((weekday, at) => ((weeks[week]?.[weekday].length ?? 0) > 0 ? [addDays(monday, at)] : []))
          return (
            <li key={monday}>
              <span className="strong">{letters[week]}</span>
              <span>{days.length === 0 ? t('team.nothing') : days.map(dayName).join(' · ')}</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

type EditProps = {
  member: DraftMember
  draft: SetupDraft
  today: string
  onChange: (part: Partial<DraftMember>) => void
  onClose: () => void
}

function Does({ member, draft, onChange }: Omit<EditProps, 'onClose' | 'today'>) {
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

function Hours({ member, draft, today, onChange }: Omit<EditProps, 'onClose'>) {
  const { t } = useTranslation('setup')
  const times = useTimes()
  const [shown, setShown] = useState(0)
  const { hours, weeks } = member
  const at = Math.min(shown, Math.max(0, weeks.length - 1))
  const firstMonday = mondayOf(today)
  const mondays = Array.from({ length: 4 }, (_, week) => addDays(firstMonday, 7 * week))
  function setCount(count: number) {
    const last = weeks.at(-1)
    onChange({ weeks: Array.from({ length: count }, (_, week) => weeks[week] ?? structuredClone(last ?? freeWeek())) })
    setShown(count - 1)
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
        onChange={(next) =>
          onChange(
            next === 'own' && weeks.length === 0 ? { hours: next, weeks: weeksOf(member, draft), anchorDay: firstMonday } : { hours: next },
          )
        }
      />
      {hours === 'own' && (
        <>
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
                options={weeks.map((_, week) => ({ value: String(week), label: t('team.weekNamed', { letter: letters[week] }) }))}
                value={String(at)}
                onChange={(week) => setShown(Number(week))}
                size="small"
              />
              <label className={styles.begins}>
                <span className="small">{t('team.begins')}</span>
                <select value={member.anchorDay} onChange={(event) => onChange({ anchorDay: event.target.value })}>
                  {[...new Set([...(member.anchorDay === '' ? [] : [member.anchorDay]), ...mondays])].map((monday) => (
                    <option key={monday} value={monday}>
                      {times.day(monday, 'UTC', 'short')}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          )}
          {weeks[at] && (
            <WeekField
              label={t('team.weekNamed', { letter: letters[at] })}
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

function Edit(props: EditProps) {
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

function Line({
  member,
  draft,
  onEdit,
  onDrop,
  onMove,
}: {
  member: DraftMember
  draft: SetupDraft
  onEdit: () => void
  onDrop: () => void
  onMove: () => void
}) {
  const { t } = useTranslation('setup')
  const does = draft.services.filter(({ key }) => !member.skips.includes(key)).length
  const name = member.name || t('services.unnamed')
  const facts = [member.title, member.isMe ? t('team.you') : '', t('team.serviceCount', { count: does })].filter(Boolean)
  return (
    <li className={styles.line}>
      <FaceImage name={name} size={48} />
      <div className={styles.text}>
        <p className="strong">
          <bdi>{name}</bdi>
        </p>
        <p className="small muted">{facts.join(' · ')}</p>
      </div>
      {draft.staff[0] !== member && (
        <IconButton icon="chevron-down" className={styles.up} label={t('services.earlier', { name })} onClick={onMove} />
      )}
      <IconButton icon="edit" label={t('services.edit', { name })} onClick={onEdit} />
      {draft.staff.length > 1 && <IconButton icon="trash" label={t('services.drop', { name })} onClick={onDrop} />}
    </li>
  )
}

export function TeamStep({ draft, change, user, today }: StepProps) {
  const { t } = useTranslation('setup')
  const [open, setOpen] = useState<string | null>(null)
  const { staff } = draft
  useEffect(() => {
    // Whoever sets it up is in already.
    if (staff.length === 0)
      change({ staff: [newMember({ name: `${user.firstName} ${user.lastName}`.trim(), isMe: true, languages: draft.offeredLanguages })] })
  }, [staff.length, change, user, draft.offeredLanguages])
  const changeOne = (key: string, part: Partial<DraftMember>) =>
    change({ staff: staff.map((one) => (one.key === key ? { ...one, ...part } : one)) })
  function add() {
    const made = newMember({ languages: draft.offeredLanguages })
    change({ staff: [...staff, made] })
    setOpen(made.key)
  }
  return (
    <>
      <ul className={styles.lines} aria-label={t('steps.team')}>
        {staff.map((member) =>
          member.key === open ? (
            <li key={member.key}>
              <Edit
                member={member}
                draft={draft}
                today={today}
                onChange={(part) => changeOne(member.key, part)}
                onClose={() => setOpen(null)}
              />
            </li>
          ) : (
            <Line
              key={member.key}
              member={member}
              draft={draft}
              onEdit={() => setOpen(member.key)}
              onDrop={() => change({ staff: staff.filter((one) => one !== member) })}
              onMove={() => change({ staff: moved(staff, (one) => one === member, -1) })}
            />
          ),
        )}
      </ul>
      <Button variant="soft" icon="plus" onClick={add}>
        {t('team.add')}
      </Button>
    </>
  )
}
