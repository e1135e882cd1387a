// When everybody works, week by week as it falls: one chip a shift, absences in their place.
import { pictureOfSize } from '@soigne/contract/files'
import type { Team, TeamMember } from '@soigne/contract/team'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { addDays, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { askConfirm } from '#/ui/confirms.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { showToast } from '#/ui/toasts.ts'
import { weekLetters } from '#/rota-weeks.ts'
import { mondayOf } from '#/ui/calendar-days.ts'
import { shiftsText, wholeWeek, workMinutes, type Week } from './shifts.ts'
import { useLength } from './hooks.ts'
import styles from './team.module.css'

type MemberDay = TeamMember['days'][number]
export type ChosenDay = { member: TeamMember; day: MemberDay }

const shownWeeks = ['1', '2', '3', '4'] as const

/** Weekdays on which somebody works or is open, from 0 for Monday. */
function usedWeekdays({ items, openingHours }: Team): number[] {
  const open = Object.values(openingHours)
  return [0, 1, 2, 3, 4, 5, 6].filter(
    (at) => (open[at]?.length ?? 0) > 0 || items.some(({ days }) => days.some((day, index) => index % 7 === at && day.shifts.length > 0)),
  )
}

const startsWeek = (week: number, at: number, weekdays: readonly number[]): boolean => week > 0 && at === weekdays[0]

function DayChip({ member, day, onChoose }: ChosenDay & { onChoose: (chosen: ChosenDay) => void }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const look =
    day.away === null ? (day.shifts.length > 0 ? undefined : styles.off) : day.away === 'sick_leave' ? styles.sick : styles.holiday
  const text = day.away !== null ? t(`leave.${day.away}`) : day.shifts.length > 0 ? shiftsText(day.shifts) : t('off')
  const label = t('dayOf', { name: member.name, day: times.day(day.day, 'UTC', 'full') })
  return (
    <button
      type="button"
      className={classNames(styles.shift, look, day.isReplaced && styles.replaced)}
      aria-label={`${label}: ${text}`}
      title={day.isReplaced ? t('replaced') : undefined}
      onClick={() => onChoose({ member, day })}
    >
      <bdi>{text}</bdi>
    </button>
  )
}

function Head({ weekdays, weeks, monday }: { weekdays: readonly number[]; weeks: readonly number[]; monday: string }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const names = times.weekdays('short')
  const weekName = (week: number): string =>
    week === 0
      ? t('rota.this')
      : week === 1
        ? t('rota.next')
        : t('rota.from', { day: times.day(addDays(monday, week * 7), 'UTC', 'short') })
  return (
    <thead>
      <tr>
        <td aria-hidden="true" />
        {weeks.map((week) => (
          <th key={week} colSpan={weekdays.length} scope="colgroup" className={classNames(styles.weekName, week > 0 && styles.newWeek)}>
            {weekName(week)}
          </th>
        ))}
        <th scope="col" className={styles.sum}>
          {t('rota.hours')}
        </th>
      </tr>
      <tr>
        <td aria-hidden="true" />
        {weeks.flatMap((week) =>
          weekdays.map((at) => (
            <th key={`${week} ${at}`} scope="col" className={classNames(startsWeek(week, at, weekdays) && styles.newWeek)}>
              {names[at]}
            </th>
          )),
        )}
        <td className={styles.sum}>{t('rota.aWeek')}</td>
      </tr>
    </thead>
  )
}

function Row({
  member,
  weekdays,
  weeks,
  onChoose,
}: {
  member: TeamMember
  weekdays: readonly number[]
  weeks: readonly number[]
  onChoose: (chosen: ChosenDay) => void
}) {
  const length = useLength()
  const shown = member.days.slice(0, weeks.length * 7)
  const average = Math.round(shown.reduce((sum, { shifts }) => sum + workMinutes(shifts), 0) / weeks.length / 5) * 5
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>
          <FaceImage name={member.name} photoUrl={pictureOfSize(member.imageUrl, 96)} size={34} />
          <bdi>{member.name}</bdi>
        </span>
      </th>
      {weeks.flatMap((week) =>
        weekdays.map((at) => {
          const day = member.days[week * 7 + at]
          return (
            <td key={`${week} ${at}`} className={classNames(startsWeek(week, at, weekdays) && styles.newWeek)}>
              {day && <DayChip member={member} day={day} onChoose={onChoose} />}
            </td>
          )
        }),
      )}
      <td className={styles.sum}>
        <bdi>{length(average)}</bdi>
      </td>
    </tr>
  )
}

type Copied = { id: string; anchorDay: string; weeks: Week[] }

/** Whose second week differs from their first. Whoever has other weeks written ahead is left as they are. */
function withFirstCopied({ items }: Team): Copied[] {
  return items.flatMap(({ _id, rotas }) => {
    const [rota, later] = rotas
    const weeks = rota?.weeks.map(wholeWeek) ?? []
    const [first, second] = weeks
    if (!rota || later || !first || !second || JSON.stringify(first) === JSON.stringify(second)) return []
    return [{ id: _id, anchorDay: rota.anchorDay, weeks: weeks.with(1, first) }]
  })
}

/** Week A becomes week B too, for everybody whose weeks differ. */
function CopyWeek({ team }: { team: Team }) {
  const { t, i18n } = useTranslation('team')
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const copied = withFirstCopied(team)
  if (copied.length === 0) return null
  const count = copied.length
  const [from, to] = weekLetters(i18n.language)
  async function copy() {
    if (!(await askConfirm({ title: t('rota.copyTitle'), message: t('rota.copyText', { count }), tone: 'plain' }))) return
    setBusy(true)
    try {
      let outside = 0
      for (const { id, ...rota } of copied) {
        const answer = await dashboardApi.changeTeamMember({ params: { id }, body: { rota: { ...rota, fromDay: team.today } } })
        outside += answer.outside.length
      }
      if (outside > 0) showToast({ type: 'warning', title: t('outside', { count: outside }), line: t('outsideText') })
      else showToast({ type: 'success', title: t('rota.copied', { count }) })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" size="small" icon="copy" loading={busy} onClick={() => void copy()}>
      {t('hours.copy', { from, to })}
    </Button>
  )
}

export function RotaTable({ team, onChoose }: { team: Team; onChoose: (chosen: ChosenDay) => void }) {
  const { t } = useTranslation('team')
  const longest = Math.max(1, ...team.items.map(({ rotas }) => rotas[0]?.weeks.length ?? 1))
  const [shown, setShown] = useState(String(Math.max(2, longest)))
  const weeks = Array.from({ length: Number(shown) }, (_, at) => at)
  const weekdays = usedWeekdays(team)
  return (
    <section className={styles.section} aria-labelledby="rota">
      <div className={styles.sectionHead}>
        <div>
          <h2 id="rota" className="d3">
            {t('rota.title')}
          </h2>
          <p className="small muted">{t('rota.text')}</p>
        </div>
        <div className={styles.ways}>
          <Segmented
            label={t('rota.shown')}
            size="small"
            value={shown}
            onChange={setShown}
            options={shownWeeks.map((value) => ({ value, label: t('weeks', { count: Number(value) }) }))}
          />
          <CopyWeek team={team} />
        </div>
      </div>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <Head weekdays={weekdays} weeks={weeks} monday={mondayOf(team.today)} />
          <tbody>
            {team.items.map((member) => (
              <Row key={member._id} {...{ member, weekdays, weeks, onChoose }} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
