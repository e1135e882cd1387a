// Above the columns of the grid: a person with how full they are, or a date of somebody's week.
import type { Diary, DiaryDay } from '@soigne/contract/diary'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { dateText } from '#/platform/dashboard-time.ts'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './diary.module.css'

type MemberDay = DiaryDay['members'][number]
type Member = Diary['members'][number]

/** The absence that somebody is known by that day. */
export const awayOf = (member: MemberDay | undefined) => member?.away.find(({ kind }) => kind !== 'other') ?? member?.away[0]

function MemberLine({ member }: { member: MemberDay | undefined }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  const away = awayOf(member)
  if (away && away.kind !== 'other')
    return (
      <span className={classNames(styles.away, away.kind === 'sick_leave' ? styles.sickLeave : styles.onHoliday)}>
        {label(`availabilities.${away.kind}`)}
      </span>
    )
  if (away) return <span className="muted">{t('grounds.other')}</span>
  if (!member || member.shiftMinutes === 0) return <span className="muted">{t('off')}</span>
  return <span className="muted">{t('percentFull', { percent: Math.round((100 * member.busyMinutes) / member.shiftMinutes) })}</span>
}

export type MemberActions = { onNew: (staffId: string) => void; onBlock: (staffId: string) => void; onWeek: (staffId: string) => void }

export function MemberHead({ member, day, actions }: { member: Member; day: MemberDay | undefined; actions: MemberActions }) {
  const { t } = useTranslation('diary')
  return (
    <div className={styles.memberHead}>
      <FaceImage name={member.name} photoUrl={member.imageUrl} size={44} />
      <p className={styles.memberWords}>
        <span className="strong">
          <bdi>{member.name}</bdi>
        </span>
        <span className="small">
          <MemberLine member={day} />
        </span>
      </p>
      <div className={styles.memberMenu}>
        <ActionMenu
          label={t('memberMenu', { name: member.name })}
          icon="more"
          labelHidden
          actions={[
            { id: 'new', label: t('newVisit'), icon: 'plus', onAction: () => actions.onNew(member._id) },
            { id: 'block', label: t('block.title'), icon: 'block', onAction: () => actions.onBlock(member._id) },
            { id: 'week', label: t('ownWeek'), icon: 'calendar', onAction: () => actions.onWeek(member._id) },
          ]}
        />
      </div>
    </div>
  )
}

export type DayHeadProps = { day: DiaryDay; today: string; member: MemberDay | undefined; isClosed: boolean; onDay: (day: string) => void }

/** A date above a column of somebody's week; it leads to the day. */
export function DayHead({ day, today, member, isClosed, onDay }: DayHeadProps) {
  const { t } = useTranslation('diary')
  const { locale, day: spelt } = useTimes()
  const percent = member && member.shiftMinutes > 0 ? Math.round((100 * member.busyMinutes) / member.shiftMinutes) : null
  return (
    <button
      type="button"
      className={classNames(styles.dayHead, isClosed && styles.closedHead)}
      data-today={day.day === today || undefined}
      aria-current={day.day === today ? 'date' : undefined}
      onClick={() => onDay(day.day)}
    >
      <span className="visually-hidden">{spelt(day.day, 'UTC', 'full')}</span>
      <span className="small" aria-hidden="true">
        {dateText(day.day, locale, { weekday: 'short' })}
      </span>
      <span className={styles.date} aria-hidden="true">
        {Number(day.day.slice(8))}
      </span>{' '}
      {percent !== null && <span className={styles.percent}>{t('percentFull', { percent })}</span>}
    </button>
  )
}

/** Holiday, Sick Leave, or why else nobody is there. */
export function AwayChip({ member, day, zone }: { member: MemberDay | undefined; day: string; zone: string }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  const away = awayOf(member)
  if (!away) return <span className={styles.offWord}>{t('off')}</span>
  const word = away.kind === 'other' ? t('grounds.other') : label(`availabilities.${away.kind}`)
  const isPart = dayOf(away.startsAt, zone) === day && (member?.shiftMinutes ?? 0) > 0
  const status = away.kind === 'other' ? 'neutral' : away.kind
  return <StatusChip status={status} label={isPart ? t('awayFrom', { what: word, time: timeText(away.startsAt, zone) }) : word} />
}
