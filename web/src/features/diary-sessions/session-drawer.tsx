// An open class: when, with whom, where, its seats, and everybody who sits in it.
import type { Diary, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { useId, useState, type ReactNode } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { dayOf, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { CancelSession, MoveSession, ResizeSession } from './session-changes.tsx'
import styles from './sessions.module.css'

type Doing = 'move' | 'seats' | 'cancel' | 'add' | null

function When({ session, diary }: { session: DiarySession; diary: Diary }) {
  const { t } = useTranslation('diary-sessions')
  const times = useTimes()
  const zone = diary.timeZone
  const name = diary.members.find(({ _id }) => _id === session.staffId)?.name ?? ''
  const room = diary.resources.find(({ _id }) => _id === session.resourceId)?.name
  const day = times.day(dayOf(session.startsAt, zone), zone, 'full')
  return (
    <div>
      <p className={styles.bigTime}>
        <bdi>{timeText(session.startsAt, zone)}</bdi> <small>{t('until', { time: timeText(session.endsAt, zone) })}</small>
      </p>
      <p className="muted">{room === undefined ? t('dayWith', { day, name }) : t('dayWithIn', { day, name, room })}</p>
    </div>
  )
}

/** How full it is, in words and as a bar. */
function Seats({ session }: { session: DiarySession }) {
  const { t } = useTranslation('diary-sessions')
  const { booked, held, capacity } = session
  const share = (count: number) => ({ inlineSize: `${Math.min(100, (100 * count) / Math.max(1, capacity))}%` })
  return (
    <div className={styles.seats}>
      <p className="strong">{t('seatsTaken', { count: booked, capacity })}</p>
      <span className={styles.bar} aria-hidden="true">
        <i style={share(booked)} />
        <i style={share(held)} />
      </span>
      {held > 0 && <p className="small muted">{t('seatsHeld', { count: held })}</p>}
    </div>
  )
}

export type SessionDrawerProps = {
  sessionId: string
  diary: Diary
  now: number
  /** Whether its time, its seats and its end are the reader's to change. */
  mayChange: boolean
  Frame: FrameOf
  /** Somebody who sits in it, with what can be noted of them. */
  seatOf: (visit: DiaryVisit) => ReactNode
  /** Booking one more. */
  seatForm: (session: DiarySession, onDone: () => void) => ReactNode
  onClose: () => void
}

function Sitting({ visits, seatOf }: { visits: readonly DiaryVisit[]; seatOf: SessionDrawerProps['seatOf'] }) {
  const { t } = useTranslation('diary-sessions')
  if (visits.length === 0) return <p className="muted">{t('nobodyYet')}</p>
  return (
    <ul className={styles.sitting}>
      {visits.map((visit) => (
        <li key={visit._id}>{seatOf(visit)}</li>
      ))}
    </ul>
  )
}

function OpenSession({ session, diary, now, mayChange, Frame, seatOf, seatForm, onClose }: SessionDrawerProps & { session: DiarySession }) {
  const { t } = useTranslation('diary-sessions')
  const title = useId()
  const [doing, setDoing] = useState<Doing>(null)
  const done = () => setDoing(null)
  const visits = diary.visits.filter((visit) => visit.sessionId === session._id && visit.status !== 'cancelled')
  const isComing = parseInstant(session.startsAt) > now
  const left = session.capacity - session.booked - session.held
  const change = { session, diary, onDone: done }
  const head = (
    <h2 id={title} className="d4">
      {session.serviceName}
    </h2>
  )
  const foot = mayChange && isComing && doing === null && (
    <>
      <Button variant="text" className={styles.lose} onClick={() => setDoing('cancel')}>
        {t('cancel')}
      </Button>
      <span className={styles.pair}>
        <Button variant="outline" onClick={() => setDoing('seats')}>
          {t('seats')}
        </Button>
        <Button variant="outline" icon="repeat" onClick={() => setDoing('move')}>
          {t('moveShort')}
        </Button>
      </span>
    </>
  )
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <div className={styles.drawer}>
        <When session={session} diary={diary} />
        <Seats session={session} />
        {doing === 'move' && <MoveSession {...change} />}
        {doing === 'seats' && <ResizeSession {...change} />}
        {doing === 'cancel' && <CancelSession {...change} visits={visits} onCancelled={onClose} />}
        {doing === 'add' && seatForm(session, done)}
        {(doing === null || doing === 'add') && (
          <section aria-label={t('who')}>
            <div className={styles.whoHead}>
              <h3 className="label-heading">{t('who')}</h3>
              {doing === null && left > 0 && isComing && (
                <Button variant="soft" size="small" icon="plus" onClick={() => setDoing('add')}>
                  {t('add')}
                </Button>
              )}
              {left <= 0 && <span className="small muted">{t('full')}</span>}
            </div>
            <Sitting visits={visits} seatOf={seatOf} />
          </section>
        )}
      </div>
    </Frame>
  )
}

export function SessionDrawer(props: SessionDrawerProps) {
  const { t } = useTranslation('diary-sessions')
  const title = useId()
  const { sessionId, diary, Frame } = props
  const session = diary.sessions.find(({ _id }) => _id === sessionId)
  if (session) return <OpenSession {...props} session={session} />
  const head = (
    <h2 id={title} className="d4">
      {t('gone')}
    </h2>
  )
  return (
    <Frame labelledBy={title} head={head}>
      <p className="muted">{t('goneText')}</p>
    </Frame>
  )
}
