// One to four weeks of shifts that repeat, and the dates ahead as they fall.
import type { Team, TeamMember } from '@soigne/contract/team'
import { useState } from 'react'
import { weekdays } from '#/contract/closed-lists.ts'
import { DateField } from '#/kit/date-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { dateOnly, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { classNames } from '#/ui/class-names.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { daysAhead, weekLetters } from '#/rota-weeks.ts'
import { mondayOf } from '#/ui/calendar-days.ts'
import type { MemberValues } from './member-form.tsx'
import { emptyWeek, shiftsText, wholeWeek, workMinutes, type Shift, type Week } from './shifts.ts'
import { useLength } from './hooks.ts'
import styles from './team-member.module.css'

type Rota = MemberValues['rota']
const weekCounts = ['1', '2', '3', '4'] as const
/** Weeks ahead that are shown as they fall: over the end of a year when it is near. */
const shownAhead = 6

const weeksOf = (rota: Rota): Week[] => rota.weeks.map((week) => wholeWeek(week as Parameters<typeof wholeWeek>[0]))

function ShiftRow({
  shift,
  label,
  onChange,
  onRemove,
}: {
  shift: Shift
  label: string
  onChange: (shift: Shift) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('team')
  const [rest] = shift.breaks
  const setBreak = (to: Partial<NonNullable<typeof rest>>) =>
    rest && onChange({ ...shift, breaks: [{ ...rest, ...to }, ...shift.breaks.slice(1)] })
  return (
    <div className={styles.shiftRow} role="group" aria-label={label}>
      <TimeField label={t('from')} value={shift.opensAt} onChange={(opensAt) => opensAt && onChange({ ...shift, opensAt })} />
      <TimeField label={t('to')} isEnd value={shift.closesAt} onChange={(closesAt) => closesAt && onChange({ ...shift, closesAt })} />
      {rest ? (
        <>
          <TimeField label={t('hours.breakFrom')} value={rest.opensAt} onChange={(opensAt) => opensAt && setBreak({ opensAt })} />
          <TimeField label={t('hours.breakTo')} isEnd value={rest.closesAt} onChange={(closesAt) => closesAt && setBreak({ closesAt })} />
          <IconButton
            icon="close"
            iconSize={18}
            label={t('hours.noBreak')}
            onClick={() => onChange({ ...shift, breaks: shift.breaks.slice(1) })}
          />
        </>
      ) : (
        <Button
          variant="text"
          size="small"
          icon="plus"
          onClick={() => onChange({ ...shift, breaks: [{ opensAt: '13:00', closesAt: '14:00' }] })}
        >
          {t('hours.break')}
        </Button>
      )}
      <IconButton icon="trash" iconSize={18} label={t('hours.remove')} onClick={onRemove} />
    </div>
  )
}

function WeekEditor({ week, onChange }: { week: Week; onChange: (week: Week) => void }) {
  const { t } = useTranslation('team')
  const names = useTimes().weekdays('long')
  return (
    <ul className={styles.days}>
      {weekdays.map((weekday, at) => {
        const shifts = week[weekday]
        const put = (to: Shift[]) => onChange({ ...week, [weekday]: to })
        return (
          <li key={weekday} className={styles.day}>
            <Checkbox
              label={names[at]}
              checked={shifts.length > 0}
              onChange={({ target }) => put(target.checked ? [{ opensAt: '09:00', closesAt: '18:00', breaks: [] }] : [])}
            />
            <div className={styles.shifts}>
              {shifts.length === 0 && <span className="muted">{t('off')}</span>}
              {shifts.map((shift, index) => (
                <ShiftRow
                  key={index}
                  shift={shift}
                  label={names[at] ?? weekday}
                  onChange={(to) => put(shifts.with(index, to))}
                  onRemove={() => put(shifts.toSpliced(index, 1))}
                />
              ))}
              {shifts.length > 0 && shifts.length < 3 && (
                <Button
                  variant="text"
                  size="small"
                  icon="plus"
                  onClick={() => put([...shifts, { opensAt: '19:00', closesAt: '21:00', breaks: [] }])}
                >
                  {t('hours.more')}
                </Button>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The weeks ahead, day by day. */
function Ahead({ rota, team }: { rota: Rota; team: Team }) {
  const { t, i18n } = useTranslation('team')
  const times = useTimes()
  const names = times.weekdays('short')
  const weeks = weeksOf(rota)
  const shortDate = (day: string): string => {
    const { date, month } = times.dateAndMonth(day)
    return `${date} ${month}`
  }
  const from = rota.fromDay && rota.fromDay > team.today ? rota.fromDay : team.today
  const days = daysAhead({ anchorDay: rota.anchorDay, weeks }, from, shownAhead)
  return (
    <div className={styles.aheadBox} role="region" aria-label={t('hours.ahead')} tabIndex={0}>
      <table className={styles.ahead}>
        <caption className="small strong">{t('hours.ahead')}</caption>
        <thead>
          <tr>
            <td aria-hidden="true" />
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: shownAhead }, (_, at) => days.slice(at * 7, at * 7 + 7)).map((week) => (
            <tr key={week[0]?.day}>
              <th scope="row">
                <bdi>{shortDate(week[0]?.day ?? from)}</bdi>
                {weeks.length > 1 && <span className={styles.letter}>{weekLetters(i18n.language)[week[0]?.week ?? 0]}</span>}
              </th>
              {week.map(({ day, shifts }) => (
                <td key={day} className={classNames(shifts.length === 0 && styles.free)} title={times.day(day, 'UTC', 'full')}>
                  <bdi>{shifts.length === 0 ? '–' : shiftsText(shifts)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type WeekWaysProps = { team: Team; weeks: readonly Week[]; at: number; put: (weeks: readonly Week[]) => void }

function WeekWays({ team, weeks, at, put }: WeekWaysProps) {
  const { t, i18n } = useTranslation('team')
  const length = useLength()
  const week = weeks[at] ?? emptyWeek()
  const salon = wholeWeek(
    Object.fromEntries(Object.entries(team.openingHours).map(([day, hours]) => [day, hours.map((one) => ({ ...one, breaks: [] }))])),
  )
  const letters = weekLetters(i18n.language)
  const next = letters[at + 1]
  return (
    <div className={styles.weekWays}>
      <Button variant="outline" size="small" icon="door" onClick={() => put(weeks.with(at, salon))}>
        {t('hours.asSalon')}
      </Button>
      {weeks.length > at + 1 && next && (
        <Button variant="outline" size="small" icon="copy" onClick={() => put(weeks.with(at + 1, week))}>
          {t('hours.copy', { from: letters[at], to: next })}
        </Button>
      )}
      <span className="small muted">
        {t('hours.sum', { length: length(Object.values(week).reduce((sum, shifts) => sum + workMinutes(shifts), 0)) })}
      </span>
    </div>
  )
}

function Dates({ value, onChange, isNew }: { value: Rota; onChange: (rota: Rota) => void; isNew: boolean }) {
  const { t } = useTranslation('team')
  return (
    <div className={styles.pair}>
      {value.weeks.length > 1 && (
        <DateField
          label={t('hours.anchor')}
          hint={t('hours.anchorHint')}
          value={value.anchorDay}
          onChange={(day) => day && onChange({ ...value, anchorDay: mondayOf(day) })}
        />
      )}
      {!isNew && (
        <DateField
          label={t('hours.since')}
          hint={t('hours.sinceHint')}
          value={value.fromDay ?? null}
          onChange={(fromDay) => onChange({ ...value, fromDay })}
        />
      )}
    </div>
  )
}

const inFull = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** Weeks that are written ahead stay as they are, and can be changed in place of these. */
function LaterWeeks({ later, onChange }: { later: TeamMember['rotas']; onChange: (rota: Rota) => void }) {
  const { t } = useTranslation('team')
  const { locale } = useTimes()
  return later.map(
    ({ fromDay, anchorDay, weeks }) =>
      fromDay !== null && (
        <p key={fromDay} className="small">
          {t('hours.later', { day: dateOnly(fromDay, locale === 'en' ? 'en-GB' : locale, inFull) })}{' '}
          <Button variant="text" size="small" onClick={() => onChange({ anchorDay, fromDay, weeks: weeks.map(wholeWeek) })}>
            {t('hours.changeLater')}
          </Button>
        </p>
      ),
  )
}

type WeeksFieldProps = {
  team: Team
  value: Rota
  /** Those that hold after these. */
  later: TeamMember['rotas']
  onChange: (rota: Rota) => void
  isWrong: boolean
  isNew: boolean
}

export function WeeksField({ team, value, later, onChange, isWrong, isNew }: WeeksFieldProps) {
  const { t, i18n } = useTranslation('team')
  const [shown, setShown] = useState(0)
  const weeks = weeksOf(value)
  const at = Math.min(shown, weeks.length - 1)
  const week = weeks[at] ?? emptyWeek()
  const put = (to: readonly Week[]) => onChange({ ...value, weeks: [...to] })
  return (
    <section className={styles.part} aria-labelledby="hours">
      <div className={styles.partHead}>
        <h2 id="hours" className="d4">
          {t('hours.title')}
        </h2>
        <Segmented
          label={t('hours.repeat')}
          size="small"
          value={String(weeks.length)}
          onChange={(count) => put(Array.from({ length: Number(count) }, (_, index) => weeks[index] ?? week))}
          options={weekCounts.map((count) => ({ value: count, label: t('weeks', { count: Number(count) }) }))}
        />
      </div>
      {weeks.length > 1 && (
        <Segmented
          label={t('hours.which')}
          value={String(at)}
          onChange={(to) => setShown(Number(to))}
          options={weeks.map((_, index) => ({
            value: String(index),
            label: t('hours.week', { letter: weekLetters(i18n.language)[index] }),
          }))}
        />
      )}
      <WeekEditor week={week} onChange={(to) => put(weeks.with(at, to))} />
      <WeekWays {...{ team, weeks, at, put }} />
      {isWrong && (
        <p role="alert" className={styles.wrong}>
          {t('hours.wrong')}
        </p>
      )}
      <Dates value={value} onChange={onChange} isNew={isNew} />
      <LaterWeeks later={later.filter(({ fromDay }) => fromDay !== (value.fromDay ?? null))} onChange={onChange} />
      <Ahead rota={value} team={team} />
    </section>
  )
}
