// The calendar as a list: days under a week strip, visits in their order, and free stretches that can be filled.
import type { Diary, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { Fragment } from 'react'
import { clock, dateText, wallMinutes } from '#/platform/dashboard-time.ts'
import { dayOf, dayText, daysBetween, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { takenBy } from './team-week.tsx'
import styles from './views.module.css'

/** Free time of somebody that could be offered. */
export type FreeStretch = { day: string; staffId: string; from: number; to: number }

export type AgendaProps = {
  diary: Diary
  day: string
  today: string
  /** Minute of today. */
  now: number
  staffId: string | null
  free: readonly FreeStretch[]
  onDay: (day: string) => void
  onOpen: (visit: DiaryVisit) => void
  onOpenSession: (session: DiarySession) => void
  onFree: (stretch: FreeStretch) => void
}

function WeekStrip({ diary, day, today, onDay }: Pick<AgendaProps, 'diary' | 'day' | 'today' | 'onDay'>) {
  const { t } = useTranslation('diary')
  const { locale } = useTimes()
  return (
    <ol className={styles.weekStrip}>
      {diary.days.map((one) => {
        const { visits } = takenBy(diary, one.day, null)
        const isClosed = one.opens.length === 0 && visits === 0
        return (
          <li key={one.day}>
            <button
              type="button"
              aria-pressed={one.day === day}
              aria-current={one.day === today ? 'date' : undefined}
              className={classNames(isClosed && styles.dim)}
              onClick={() => onDay(one.day)}
            >
              <span className="small">{dateText(one.day, locale, { weekday: 'short' })}</span>
              <b>{Number(one.day.slice(8))}</b>
              <span className="fine">{isClosed ? t('closed') : t('visits', { count: visits })}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

type Entry =
  | { kind: 'visit'; at: number; visit: DiaryVisit }
  /** A class: who sits in it is listed where it is opened. */
  | { kind: 'session'; at: number; session: DiarySession }
  | { kind: 'free'; at: number; stretch: FreeStretch }
  | { kind: 'now'; at: number }

function entriesOf({ diary, day, today, now, staffId, free }: AgendaProps & { day: string }): Entry[] {
  const onWall = diary.visits
    .filter(
      (visit) =>
        visit.sessionId === null &&
        dayOf(visit.startsAt, diary.timeZone) === day &&
        (staffId === null || visit.segments.some((one) => one.staffId === staffId)),
    )
    .map((visit): Entry => ({ kind: 'visit', at: wallMinutes(visit.startsAt, diary.timeZone), visit }))
  const classes = diary.sessions
    .filter((one) => dayOf(one.startsAt, diary.timeZone) === day && (staffId === null || one.staffId === staffId))
    .map((session): Entry => ({ kind: 'session', at: wallMinutes(session.startsAt, diary.timeZone), session }))
  const stretches = free
    .filter((one) => one.day === day && (staffId === null || one.staffId === staffId))
    .map((stretch): Entry => ({ kind: 'free', at: stretch.from, stretch }))
  const present: Entry[] = day === today ? [{ kind: 'now', at: now }] : []
  return [...onWall, ...classes, ...stretches, ...present].toSorted((a, b) => a.at - b.at)
}

const tones: Record<DiaryVisit['status'], string | undefined> = {
  completed: styles.completed,
  deposit_paid: styles.depositPaid,
  pending: styles.pending,
  cancelled: styles.cancelled,
}

function AgendaVisit({ diary, visit, onOpen }: { diary: Diary; visit: DiaryVisit; onOpen: (visit: DiaryVisit) => void }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  const times = useTimes()
  const names = [...new Set(visit.segments.map(({ staffId }) => staffId))].map((id) => diary.members.find((one) => one._id === id))
  const first = names[0]
  return (
    <button type="button" className={classNames(styles.entry, tones[visit.status])} onClick={() => onOpen(visit)}>
      <bdi className={styles.entryTime}>{timeText(visit.startsAt, diary.timeZone)}</bdi>
      <i aria-hidden="true" className={styles.edge} />
      <span className={styles.entryWords}>
        <span className="medium">{visit.segments.map(({ serviceName }) => serviceName).join(', ')}</span>
        <span className="small muted">
          <bdi>{visit.isHeld ? t('held') : visit.customer.name || t('walkIn')}</bdi> ·{' '}
          {times.duration(minutesBetween(visit.startsAt, visit.endsAt))} · <bdi>{names.flatMap((one) => one?.name ?? []).join(', ')}</bdi>
        </span>
      </span>
      {first && <FaceImage name={first.name} photoUrl={first.imageUrl} size={34} className={styles.entryFace} />}
      {visit.attendance === 'no_show' ? (
        <StatusChip status="cancelled" icon="block" label={t('attendance.no_show')} />
      ) : (
        <StatusChip status={visit.status} label={label(`statuses.${visit.status}`)} />
      )}
    </button>
  )
}

function AgendaClass({ diary, session, onOpen }: { diary: Diary; session: DiarySession; onOpen: (session: DiarySession) => void }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const member = diary.members.find(({ _id }) => _id === session.staffId)
  return (
    <button type="button" className={classNames(styles.entry, styles.class)} onClick={() => onOpen(session)}>
      <bdi className={styles.entryTime}>{timeText(session.startsAt, diary.timeZone)}</bdi>
      <i aria-hidden="true" className={styles.edge} />
      <span className={styles.entryWords}>
        <span className="medium">{session.serviceName}</span>
        <span className="small muted">
          {times.duration(minutesBetween(session.startsAt, session.endsAt))} · <bdi>{member?.name ?? ''}</bdi>
        </span>
      </span>
      {member && <FaceImage name={member.name} photoUrl={member.imageUrl} size={34} className={styles.entryFace} />}
      <StatusChip status="neutral" icon="users" label={t('seats', { count: session.booked, capacity: session.capacity })} />
    </button>
  )
}

const keyOf = (entry: Entry): string => {
  if (entry.kind === 'visit') return entry.visit._id
  if (entry.kind === 'session') return entry.session._id
  return `${entry.kind}${entry.at}${entry.kind === 'free' ? entry.stretch.staffId : ''}`
}

function DayGroup(props: AgendaProps & { day: string }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const { diary, day, today } = props
  const entries = entriesOf(props)
  const ahead = daysBetween(today, day)
  const near = ahead === 0 || ahead === 1 ? dayText(day, today, times.locale) : null
  const full = dateText(day, times.locale, { weekday: 'long', day: 'numeric', month: 'long' })
  const count = entries.reduce((sum, entry) => sum + (entry.kind === 'visit' ? 1 : entry.kind === 'session' ? entry.session.booked : 0), 0)
  return (
    <section className={styles.group}>
      <header>
        <h2>
          <span className="d4">{near ?? full}</span> {near && <span className="muted">{full}</span>}
        </h2>
        <span className="small muted">{t('visits', { count })}</span>
      </header>
      {entries.every(({ kind }) => kind === 'now') && (
        <p className="muted">{diary.days.find((one) => one.day === day)?.closure ?? t('noVisits')}</p>
      )}
      <ul>
        {entries.map((entry) => (
          <Fragment key={keyOf(entry)}>
            <li>
              {entry.kind === 'visit' && <AgendaVisit diary={diary} visit={entry.visit} onOpen={props.onOpen} />}
              {entry.kind === 'session' && <AgendaClass diary={diary} session={entry.session} onOpen={props.onOpenSession} />}
              {entry.kind === 'now' && (
                <p className={styles.present}>
                  <Petal height={15} /> {t('nowAt', { time: clock(entry.at) })}
                </p>
              )}
              {entry.kind === 'free' && (
                <button type="button" className={styles.freeRow} onClick={() => props.onFree(entry.stretch)}>
                  <bdi className={styles.entryTime}>{clock(entry.at)}</bdi>
                  <span>
                    {t('freeWith', {
                      duration: times.duration(entry.stretch.to - entry.stretch.from),
                      name: diary.members.find((one) => one._id === entry.stretch.staffId)?.name ?? '',
                    })}
                  </span>
                  <Icon name="plus" size={18} />
                </button>
              )}
            </li>
          </Fragment>
        ))}
      </ul>
    </section>
  )
}

export function AgendaView(props: AgendaProps) {
  const { diary, day, today, onDay } = props
  const days = diary.days.filter((one) => one.day >= day)
  return (
    <div className={styles.agenda}>
      <WeekStrip diary={diary} day={day} today={today} onDay={onDay} />
      {days.map((one) => (
        <DayGroup key={one.day} {...props} day={one.day} />
      ))}
    </div>
  )
}
