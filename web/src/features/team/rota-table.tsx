// When everybody works, week by week as it falls: one chip a shift, absences in their place.
import { pictureOfSize } from '@soigne/contract/files'
import type { Team, TeamMember } from '@soigne/contract/team'
import { useState } from 'react'
import { addDays, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { mondayOf } from '#/ui/calendar-days.ts'
import { shiftsText, workMinutes } from './shifts.ts'
import { useLength } from './hooks.ts'
import styles from './team-page.module.css'

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
          <th key={week} colSpan={weekdays.length} scope="colgroup" className={styles.weekName}>
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
            <th key={`${week} ${at}`} scope="col">
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
          return <td key={`${week} ${at}`}>{day && <DayChip member={member} day={day} onChoose={onChoose} />}</td>
        }),
      )}
      <td className={styles.sum}>
        <bdi>{length(average)}</bdi>
      </td>
    </tr>
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
        <Segmented
          label={t('rota.shown')}
          size="small"
          value={shown}
          onChange={setShown}
          options={shownWeeks.map((value) => ({ value, label: t('weeks', { count: Number(value) }) }))}
        />
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
