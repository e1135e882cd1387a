// One change the server refused: what was done here beside what stands there now, and what can be done about it.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useFreeTimes } from '#/diary-changes.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { dayOf, instantText, minutesBetween, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { minuteMs } from '@soigne/contract/time'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import { type Attendance, type DeskChange, inTheWay, type MoveChange, type WalkInChange, visitOf } from './changes.ts'
import type { Desk } from './desk.ts'
import styles from './day-sheet.module.css'

type PlacedChange = MoveChange | WalkInChange

/** Free starts shown: those nearest to the one that was wished. */
const mostTimes = 6

const endOf = (change: PlacedChange): string =>
  change.kind === 'walkIn'
    ? change.endsAt
    : instantText(parseInstant(change.startsAt) + minutesBetween(change.from.startsAt, change.from.endsAt) * minuteMs)

const staffOf = (change: PlacedChange): string => (change.kind === 'walkIn' ? change.staffId : (change.staffId ?? change.from.staffId))

function useNearest(change: PlacedChange, day: string) {
  const services = change.kind === 'walkIn' ? [change.service._id] : change.from.services
  const moved = change.kind === 'move' && { visit: change.visitId }
  const free = useFreeTimes({ services, staff: services.map(() => staffOf(change)), day, ...moved })
  const away = ({ startsAt }: { startsAt: string }) => Math.abs(minutesBetween(change.startsAt, startsAt))
  return free.data
    ?.toSorted((a, b) => away(a) - away(b))
    .slice(0, mostTimes)
    .toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
}

/** The day as the server has it now; nothing that waits is in it. */
function useServerDay(day: string) {
  return useQuery({
    queryKey: dashboardKeys.diary.days(day, 1),
    queryFn: ({ signal }) => dashboardApi.diary({ query: { from: day, days: 1 } }, { signal }),
    retry: false,
  }).data
}

function useWords(zone: string) {
  const { t } = useTranslation('day-sheet')
  const { t: word } = useTranslation('diary')
  const times = useTimes()
  const when = (instant: string) => `${times.day(dayOf(instant, zone), zone)} ${timeText(instant, zone)}`
  return {
    t,
    step: (step: Attendance) => word(`attendance.${step}`),
    when,
    title(change: DeskChange) {
      const name = change.name || word('walkIn')
      if (change.kind === 'attendance') return t('conflict.attendance', { name, step: word(`attendance.${change.attendance}`) })
      return t(change.kind === 'walkIn' ? 'conflict.walkIn' : 'conflict.move', { name, when: when(change.startsAt) })
    },
    /** A visit as it stands on the server. */
    there: (visit: DiaryVisit) =>
      `${timeText(visit.startsAt, zone)}–${timeText(visit.endsAt, zone)} · ${visit.isHeld ? word('held') : visit.customer.name || word('walkIn')} · ${visit.segments.map(({ serviceName }) => serviceName).join(', ')}`,
  }
}

/** What stands on the server in the place that was wished, or the visit itself. */
function standing(change: DeskChange, server: Diary | undefined): DiaryVisit[] {
  if (!server) return []
  const own = server.visits.filter(({ _id }) => _id === visitOf(change))
  if (change.kind === 'attendance') return own
  return [...own, ...inTheWay(server, staffOf(change), { startsAt: change.startsAt, endsAt: endOf(change) }, visitOf(change))]
}

function Sides({ change, zone, server }: { change: DeskChange; zone: string; server: Diary | undefined }) {
  const { t, step, when, there } = useWords(zone)
  const visits = standing(change, server)
  const name = (id: string) => server?.members.find((one) => one._id === id)?.name ?? ''
  const here = change.kind === 'attendance' ? step(change.attendance) : `${when(change.startsAt)} · ${name(staffOf(change))}`
  return (
    <dl className={styles.sides}>
      <div>
        <dt>{t('conflict.here', { time: timeText(change.madeAt, zone) })}</dt>
        <dd>
          {change.kind === 'walkIn' && <>{change.service.name} · </>}
          <bdi>{here}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('conflict.there')}</dt>
        {visits.map((visit) => (
          <dd key={visit._id}>
            <bdi>{there(visit)}</bdi>
            {change.kind === 'attendance' && <> · {step(visit.attendance)}</>}
            {visit.status === 'cancelled' && <> · {t('conflict.cancelled')}</>}
          </dd>
        ))}
        {visits.length === 0 && <dd>{t(server ? 'conflict.nothing' : 'conflict.unread')}</dd>}
      </div>
    </dl>
  )
}

function Overbook({ change, zone, desk }: { change: WalkInChange; zone: string; desk: Desk }) {
  const { t } = useTranslation('day-sheet')
  const [reason, setReason] = useState<string | null>(null)
  const time = timeText(change.startsAt, zone)
  if (reason === null) {
    return (
      <Button variant="outline" size="small" onClick={() => setReason('')}>
        {t('conflict.overbook', { time })}
      </Button>
    )
  }
  return (
    <div className={styles.reason}>
      <Field
        label={t('conflict.reason')}
        value={reason}
        maxLength={500}
        dir="auto"
        autoFocus
        onChange={(event) => setReason(event.target.value)}
      />
      <Button size="small" disabled={reason.trim() === ''} onClick={() => void desk.decide(change, { overbook: reason.trim() })}>
        {t('conflict.overbook', { time })}
      </Button>
    </div>
  )
}

function OtherTime({ change, zone, desk }: { change: PlacedChange; zone: string; desk: Desk }) {
  const { t } = useTranslation('day-sheet')
  const [at, setAt] = useState<string | null>(null)
  const nearest = useNearest(change, dayOf(change.startsAt, zone))
  function take() {
    if (at === null) return
    if (change.kind === 'move') return void desk.decide(change, { startsAt: at })
    const endsAt = instantText(parseInstant(at) + minutesBetween(change.startsAt, change.endsAt) * minuteMs)
    void desk.decide(change, { startsAt: at, endsAt })
  }
  if (nearest?.length === 0) return <p className="small muted">{t('conflict.noTimes')}</p>
  return (
    <div role="group" aria-label={t('conflict.nearest')} className={styles.nearest}>
      <p className="label-heading">{t('conflict.nearest')}</p>
      <div className={styles.times}>
        {nearest?.map(({ startsAt }) => (
          <SlotChip key={startsAt} time={timeText(startsAt, zone)} selected={startsAt === at} onClick={() => setAt(startsAt)} />
        ))}
      </div>
      {at !== null && (
        <Button size="small" onClick={take}>
          {t('conflict.take', { time: timeText(at, zone) })}
        </Button>
      )}
    </div>
  )
}

/** As it was wished, knowing what the server has. */
function allTheSame(change: DeskChange, own: DiaryVisit | undefined): Partial<DeskChange> | null {
  const { code } = change.refusal ?? {}
  if (change.kind === 'attendance') return own && own.status !== 'cancelled' ? { was: own.attendance, version: own.version } : null
  if (change.kind === 'move') return own && own.status !== 'cancelled' && code !== 'slot_taken' ? { version: own.version } : null
  return code === 'slot_taken' || code === 'not_offered' ? null : {}
}

type ConflictProps = { change: DeskChange; zone: string; desk: Desk; mayOverbook: boolean }

export function Conflict({ change, zone, desk, mayOverbook }: ConflictProps) {
  const { t, title } = useWords(zone)
  const heading = useId()
  const [ownDay] = useState(() => dayOf(change.kind === 'attendance' ? change.madeAt : change.startsAt, zone))
  const server = useServerDay(ownDay)
  const own = server?.visits.find(({ _id }) => _id === visitOf(change))
  const { code = '', message = '' } = change.refusal ?? {}
  const again = allTheSame(change, own)
  const isTaken = code === 'slot_taken' || code === 'not_offered'
  return (
    <article className={styles.conflict} aria-labelledby={heading}>
      <h3 id={heading} className="d4">
        {title(change)}
      </h3>
      <p className={styles.why}>{code === 'too_old' ? t('conflict.tooOld') : message}</p>
      <Sides change={change} zone={zone} server={server} />
      {change.kind !== 'attendance' && isTaken && <OtherTime change={change} zone={zone} desk={desk} />}
      <div className={styles.choices}>
        {change.kind === 'walkIn' && isTaken && mayOverbook && <Overbook change={change} zone={zone} desk={desk} />}
        {again && (
          <Button variant="outline" size="small" onClick={() => void desk.decide(change, again)}>
            {t('conflict.again')}
          </Button>
        )}
        <Button variant="text" size="small" className={styles.lose} onClick={() => void desk.drop(change)}>
          {t(change.kind === 'walkIn' ? 'conflict.drop' : 'conflict.leave')}
        </Button>
      </div>
    </article>
  )
}
