// A member in the arch: who, whether they are there, their week, and how full it is.
import { pictureOfSize } from '@soigne/contract/files'
import type { Team, TeamMember } from '@soigne/contract/team'
import { Link } from 'react-router'
import { teamMemberPath } from '#/dashboard-paths.ts'
import { plannedDayText } from '#/platform/dashboard-time.ts'
import { addDays, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { absenceOn, minutesOf } from './shifts.ts'
import { useWords } from './hooks.ts'
import styles from './team.module.css'

const first = 8 * 60
const last = 20 * 60
const place = (minute: number): number => (Math.min(Math.max(minute, first), last) - first) / (last - first)

/** A week of shifts at a glance: seven bars from 8:00 to 20:00. */
function WeekGlyph({ days }: { days: TeamMember['days'] }) {
  const letters = useTimes().weekdays('narrow')
  return (
    <span className={styles.glyph} aria-hidden="true">
      {days.slice(0, 7).map(({ day, shifts, away }, at) => (
        <span key={day} className={styles.glyphDay}>
          <span className={styles.track}>
            {away === null &&
              shifts.map(({ opensAt, closesAt }) => {
                const [from, to] = [
                  place(minutesOf(opensAt)),
                  place(minutesOf(closesAt) <= minutesOf(opensAt) ? last : minutesOf(closesAt)),
                ]
                return <span key={opensAt} style={{ insetBlockStart: `${from * 100}%`, blockSize: `${(to - from) * 100}%` }} />
              })}
          </span>
          {letters[at]}
        </span>
      ))}
    </span>
  )
}

/** How full this week is, or until when somebody is away. */
function Line({ member, team }: { member: TeamMember; team: Team }) {
  const { t } = useTranslation('team')
  const { locale } = useTimes()
  const absence = absenceOn(member, team.today)
  if (absence) return <>{t('backOn', { day: plannedDayText(addDays(absence.toDay, 1), locale) })}</>
  if (member.lastDay !== null) return <>{t('until', { day: plannedDayText(member.lastDay, locale) })}</>
  if (member.shiftMinutes === 0) return <>{t('noShifts')}</>
  return <>{t('full', { percent: Math.round((member.busyMinutes / member.shiftMinutes) * 100) })}</>
}

export type Moving = {
  first: boolean
  last: boolean
  move: (by: -1 | 1) => void
  dragged: boolean
  drag: (isOver: boolean) => void
  drop: () => void
}

export function MemberCard({ member, team, moving }: { member: TeamMember; team: Team; moving: Moving }) {
  const { t } = useTranslation('team')
  const words = useWords()
  const { name, imageUrl, availability } = member
  const title = words(member.title)
  return (
    <li className={classNames(styles.card, moving.dragged && styles.dragged)}>
      <Link
        to={teamMemberPath(member._id)}
        className={styles.cardLink}
        draggable
        onDragStart={() => moving.drag(false)}
        onDragEnter={() => moving.drag(true)}
        onDragOver={(event) => event.preventDefault()}
        onDragEnd={moving.drop}
      >
        <FaceImage name={name} photoUrl={pictureOfSize(imageUrl, 320)} size="portrait" className={styles.arch} />
        <span className={styles.cardName}>
          <bdi>{name}</bdi>
        </span>
      </Link>
      {title && (
        <span className="small muted">
          <bdi>{title}</bdi>
        </span>
      )}
      <StatusChip status={availability} label={t(`availability.${availability}`)} className={styles.chip} />
      <WeekGlyph days={member.days} />
      <span className="small muted">
        <Line member={member} team={team} />
      </span>
      {!member.bookableOnline && (
        <span className={classNames('small muted', styles.offline)}>
          <Icon name="eye-off" size={15} />
          {t('notOnline')}
        </span>
      )}
      <span className={styles.moves}>
        <IconButton
          icon="chevron-start"
          iconSize={18}
          label={t('moveEarlier', { name })}
          disabled={moving.first}
          onClick={() => moving.move(-1)}
        />
        <IconButton
          icon="chevron-end"
          iconSize={18}
          label={t('moveLater', { name })}
          disabled={moving.last}
          onClick={() => moving.move(1)}
        />
      </span>
    </li>
  )
}
