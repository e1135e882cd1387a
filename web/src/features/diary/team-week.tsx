// A week of everybody: who has how many visits and how much is free, never the visits themselves.
import type { Diary, DiaryDay } from '@soigne/contract/diary'
import { dateText, wallMinutes } from '#/platform/dashboard-time.ts'
import { dayOf, minutesBetween, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { AwayChip } from './column-heads.tsx'
import styles from './views.module.css'

type MemberDay = DiaryDay['members'][number]
type Cell = 'filled' | 'free' | 'hatched'

const takes = ({ status, attendance }: Diary['visits'][number]): boolean => status !== 'cancelled' && attendance !== 'no_show'

/** Visits of somebody on a day, and the stretches they take. */
export function takenBy(
  diary: Diary,
  day: string,
  staffId: string | null,
): { visits: number; stretches: { startsAt: string; endsAt: string }[] } {
  const ofDay = diary.visits.filter((visit) => takes(visit) && !visit.isHeld && dayOf(visit.startsAt, diary.timeZone) === day)
  const own = ofDay.filter(({ segments }) => staffId === null || segments.some((segment) => segment.staffId === staffId))
  const sessions = diary.sessions.filter(
    (one) => dayOf(one.startsAt, diary.timeZone) === day && (staffId === null || one.staffId === staffId),
  )
  return {
    visits: own.length,
    stretches: [
      ...own.flatMap(({ segments }) => segments.filter((segment) => staffId === null || segment.staffId === staffId)),
      ...sessions,
    ],
  }
}

/** One cell for each step of the open day: filled, free, or a break or absence. */
export function stripOf(diary: Diary, day: DiaryDay, member: MemberDay): Cell[] {
  const zone = diary.timeZone
  const minutes = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => {
    const from = dayOf(startsAt, zone) < day.day ? 0 : wallMinutes(startsAt, zone)
    return { from, to: dayOf(endsAt, zone) > day.day ? 1440 : wallMinutes(endsAt, zone) }
  }
  const range = [...day.opens, ...member.shifts].map(minutes)
  if (range.length === 0) return []
  const [from, to] = [Math.min(...range.map((one) => one.from)), Math.max(...range.map((one) => one.to))]
  const step = Math.max(diary.gridMinutes, 15)
  const taken = takenBy(diary, day.day, member.staffId).stretches.map(minutes)
  const shifts = member.shifts.map(minutes)
  const kept = [
    ...member.away.map(minutes),
    ...diary.blocked.filter((one) => one.staffId === member.staffId && dayOf(one.startsAt, zone) === day.day).map(minutes),
  ]
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index): Cell => {
    const middle = from + index * step + step / 2
    const holds = (one: { from: number; to: number }) => one.from <= middle && middle < one.to
    if (taken.some(holds)) return 'filled'
    return shifts.some(holds) && !kept.some(holds) ? 'free' : 'hatched'
  })
}

export function Strip({ cells }: { cells: readonly Cell[] }) {
  return (
    <span className={styles.strip} aria-hidden="true">
      {cells.map((cell, index) => (
        <i key={index} className={styles[cell]} />
      ))}
    </span>
  )
}

/** 3 h 40 free. */
export function useFreeText(): (minutes: number) => string {
  const { t } = useTranslation('diary')
  const times = useTimes()
  return (minutes) => {
    if (minutes <= 0) return t('full')
    if (minutes < 60) return t('minutesFree', { duration: times.duration(minutes) })
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
    return rest === 0 ? t('hoursFree', { hours }) : t('hoursMinutesFree', { hours, minutes: rest })
  }
}

/** So much free time is worth an offer. */
const muchFreeMinutes = 180

type Row = {
  diary: Diary
  day: DiaryDay
  member: MemberDay | undefined
  staffId: string
  today: string
  onOpen: (day: string, staffId: string) => void
  name: string
}

function DayCell({ diary, day, member, staffId, today, onOpen, name }: Row) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const free = useFreeText()
  const { visits } = takenBy(diary, day.day, staffId)
  const isThere = member !== undefined && member.shiftMinutes > 0
  const chip = <AwayChip member={member} day={day.day} zone={diary.timeZone} />
  if (!isThere && visits === 0) return <td className={styles.cellAway}>{chip}</td>
  const left = isThere ? member.shiftMinutes - member.busyMinutes : 0
  return (
    <td className={classNames(!isThere && styles.cellLeft)} data-today={day.day === today || undefined}>
      <button type="button" className={styles.cell} onClick={() => onOpen(day.day, staffId)}>
        <span className="visually-hidden">
          <bdi>{name}</bdi>, {times.day(day.day, 'UTC', 'full')},{' '}
        </span>
        <span className={styles.cellTop}>
          <span>
            <b className={styles.count}>{visits}</b> <span className="fine muted">{t('visitsWord', { count: visits })}</span>
          </span>{' '}
          {isThere && <span className={classNames('fine', left >= muchFreeMinutes ? styles.much : 'muted')}>{free(left)}</span>}
        </span>
        {/* Who is away still has these. */}
        {isThere ? <Strip cells={stripOf(diary, day, member)} /> : <span>{chip}</span>}
      </button>
    </td>
  )
}

const memberOf = (day: DiaryDay, staffId: string) => day.members.find((one) => one.staffId === staffId)

function shareOf(days: readonly (MemberDay | undefined)[]): number | null {
  const shift = days.reduce((sum, one) => sum + (one?.shiftMinutes ?? 0), 0)
  const busy = days.reduce((sum, one) => sum + (one?.busyMinutes ?? 0), 0)
  return shift === 0 ? null : Math.round((100 * busy) / shift)
}

export type TeamWeekProps = { diary: Diary; today: string; onOpen: (day: string, staffId: string | null) => void }

/** Days on which nobody works and nobody comes are left out. */
const openDays = (diary: Diary) =>
  diary.days.filter(
    ({ day, members, opens }) =>
      opens.length > 0 || members.some(({ shiftMinutes }) => shiftMinutes > 0) || takenBy(diary, day, null).stretches.length > 0,
  )

function DayNames({ days, today, onOpen }: { days: readonly DiaryDay[] } & Pick<TeamWeekProps, 'today' | 'onOpen'>) {
  const { locale, day: spelt } = useTimes()
  return (
    <thead>
      <tr>
        <td aria-hidden="true" />
        {days.map(({ day }) => (
          <th key={day} scope="col" data-today={day === today || undefined} aria-label={spelt(day, 'UTC', 'full')}>
            <button type="button" onClick={() => onOpen(day, null)}>
              <span className="visually-hidden">{spelt(day, 'UTC', 'full')}</span>
              <span aria-hidden="true">
                <span className="small">{dateText(day, locale, { weekday: 'short' })}</span> <b>{Number(day.slice(8))}</b>
              </span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Together({ diary, days }: { diary: Diary; days: readonly DiaryDay[] }) {
  const { t } = useTranslation('diary')
  return (
    <tr className={styles.together}>
      <th scope="row">{t('together')}</th>
      {days.map((day) => {
        const share = shareOf(day.members)
        const { visits } = takenBy(diary, day.day, null)
        return (
          <td key={day.day}>
            <b className={styles.count}>{visits}</b>{' '}
            <span className="small muted">
              {share === null ? t('visitsWord', { count: visits }) : t('visitsAndFull', { count: visits, percent: share })}
            </span>
          </td>
        )
      })}
    </tr>
  )
}

export function TeamWeek({ diary, today, onOpen }: TeamWeekProps) {
  const { t } = useTranslation('diary')
  const days = openDays(diary)
  return (
    <div className={styles.tableFrame}>
      <table className={styles.team}>
        <DayNames days={days} today={today} onOpen={onOpen} />
        <tbody>
          {diary.members.map((member) => {
            const share = shareOf(days.map((day) => memberOf(day, member._id)))
            return (
              <tr key={member._id}>
                <th scope="row">
                  <span className={styles.person}>
                    <FaceImage name={member.name} photoUrl={member.imageUrl} size={44} />
                    <span>
                      <span className="strong">
                        <bdi>{member.name}</bdi>
                      </span>
                      <span className="small muted">{share === null ? t('off') : t('percentWeek', { percent: share })}</span>
                    </span>
                  </span>
                </th>
                {days.map((day) => (
                  <DayCell
                    key={day.day}
                    diary={diary}
                    day={day}
                    member={memberOf(day, member._id)}
                    staffId={member._id}
                    today={today}
                    onOpen={onOpen}
                    name={member.name}
                  />
                ))}
              </tr>
            )
          })}
          <Together diary={diary} days={days} />
        </tbody>
      </table>
    </div>
  )
}

/** On a phone: seven rows with strips, of one person or of all together. */
export function WeekRows({ diary, today, staffId, onOpen }: TeamWeekProps & { staffId: string | null }) {
  const { t } = useTranslation('diary')
  const { locale } = useTimes()
  const free = useFreeText()
  return (
    <ul className={styles.weekRows}>
      {diary.days.map((day) => {
        const members = day.members.filter((one) => (staffId === null || one.staffId === staffId) && one.shiftMinutes > 0)
        const { visits, stretches } = takenBy(diary, day.day, staffId)
        const left = members.reduce((sum, one) => sum + one.shiftMinutes - one.busyMinutes, 0)
        const isClosed = members.length === 0 && stretches.length === 0
        const taken = stretches.reduce((sum, one) => sum + minutesBetween(one.startsAt, one.endsAt), 0)
        return (
          <li key={day.day} data-today={day.day === today || undefined}>
            <button
              type="button"
              className={classNames(styles.weekRow, isClosed && styles.closedRow)}
              onClick={() => onOpen(day.day, staffId)}
            >
              <span className={styles.rowDate}>
                <span className="small">{dateText(day.day, locale, { weekday: 'short' })}</span>
                <b>{Number(day.day.slice(8))}</b>
              </span>
              {isClosed ? (
                <span className="muted">{day.closure ?? (staffId === null ? t('closed') : t('off'))}</span>
              ) : (
                <span className={styles.rowWords}>
                  <span className={styles.cellTop}>
                    <span className="strong">{t('visits', { count: visits })}</span>
                    {members.length > 0 && (
                      <span className={classNames('small', left >= muchFreeMinutes ? styles.much : 'muted')}>{free(left)}</span>
                    )}
                  </span>
                  {members.length === 1 && members[0] ? (
                    <Strip cells={stripOf(diary, day, members[0])} />
                  ) : (
                    <span className={styles.share} aria-hidden="true">
                      <i style={{ inlineSize: `${Math.min(100, (100 * taken) / Math.max(1, taken + left))}%` }} />
                    </span>
                  )}
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
