// A visit of the kept calendar: what is known, how far it is, and another time; the rest waits for the connection.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useId, useState } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { dayOf, instantText, minutesBetween, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { type Attendance, isOfDesk } from './changes.ts'
import { InTheWay, type Place, PlaceFields } from './place-fields.tsx'
import type { DeskActs } from './use-desk-acts.ts'
import styles from './day-sheet.module.css'

type SheetVisitProps = {
  visit: DiaryVisit
  diary: Diary
  days: readonly string[]
  now: number
  isWaiting: boolean
  acts: DeskActs
  Frame: FrameOf
  /** Drops a walk-in that the server does not have yet. */
  onDrop: () => void
}

const steps = ['expected', 'arrived', 'in_service', 'done', 'no_show'] as const satisfies readonly Attendance[]

function Steps({ visit, now, acts }: Pick<SheetVisitProps, 'visit' | 'now' | 'acts'>) {
  const { t } = useTranslation('day-sheet')
  const { t: word } = useTranslation('diary')
  // Nobody can have missed what has not begun.
  const shown = steps.filter((step) => step !== 'no_show' || parseInstant(visit.startsAt) <= now)
  return (
    <div role="group" aria-label={t('attendance')} className={styles.steps}>
      {shown.map((step) => (
        <Button
          key={step}
          variant={step === visit.attendance ? 'soft' : 'outline'}
          size="small"
          icon={step === visit.attendance ? 'check' : undefined}
          aria-pressed={step === visit.attendance}
          onClick={() => step !== visit.attendance && acts.note(visit, step)}
        >
          {word(`attendance.${step}`)}
        </Button>
      ))}
    </div>
  )
}

function Move({ visit, diary, days, acts, onDone }: Pick<SheetVisitProps, 'visit' | 'diary' | 'days' | 'acts'> & { onDone: () => void }) {
  const { t } = useTranslation('day-sheet')
  const zone = diary.timeZone
  const first = visit.segments[0]
  const [place, setPlace] = useState<Place>({ day: dayOf(visit.startsAt, zone), startsAt: visit.startsAt, staffId: first?.staffId ?? '' })
  const { startsAt, staffId } = place
  const members = diary.members.filter((member) => visit.segments.every(({ serviceId }) => member.services.includes(serviceId)))
  const endsAt = startsAt && instantText(parseInstant(startsAt) + minutesBetween(visit.startsAt, visit.endsAt) * minuteMs)
  const isSame = startsAt === visit.startsAt && staffId === first?.staffId
  function send() {
    if (startsAt === null) return
    acts.move(visit, { startsAt, ...(staffId !== first?.staffId && { staffId }) })
    onDone()
  }
  return (
    <section className={styles.form} aria-label={t('move')}>
      <PlaceFields place={place} days={days} members={members} diary={diary} onChange={setPlace} />
      {startsAt && endsAt && !isSame && <InTheWay diary={diary} staffId={staffId} startsAt={startsAt} endsAt={endsAt} but={visit._id} />}
      <p className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('keepPlace')}
        </Button>
        <Button disabled={startsAt === null || isSame} onClick={send}>
          {startsAt === null ? t('move') : t('moveTo', { time: timeText(startsAt, zone) })}
        </Button>
      </p>
    </section>
  )
}

export function SheetVisit({ visit, diary, days, now, isWaiting, acts, Frame, onDrop }: SheetVisitProps) {
  const { t } = useTranslation('day-sheet')
  const { t: word } = useTranslation('diary')
  const times = useTimes()
  const title = useId()
  const [isMoving, setIsMoving] = useState(false)
  const zone = diary.timeZone
  const names = [...new Set(visit.segments.map(({ staffId }) => staffId))].flatMap(
    (id) => diary.members.find((one) => one._id === id)?.name ?? [],
  )
  const isOpen = visit.status !== 'cancelled' && !visit.isHeld
  const mayMove = isOpen && visit.attendance === 'expected' && parseInstant(visit.startsAt) > now
  const head = (
    <h2 id={title} className="d4">
      <bdi>{visit.customer.name || word('walkIn')}</bdi>
    </h2>
  )
  const foot = isOpen && !isMoving && (mayMove || isOfDesk(visit._id)) && (
    <>
      {isOfDesk(visit._id) && (
        <Button variant="text" className={styles.lose} onClick={onDrop}>
          {t('drop')}
        </Button>
      )}
      <Button variant="outline" icon="repeat" onClick={() => setIsMoving(true)}>
        {t('move')}
      </Button>
    </>
  )
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <div className={styles.form}>
        <p>
          <bdi className="strong tabular">{timeText(visit.startsAt, zone)}</bdi>–
          <bdi className="tabular">{timeText(visit.endsAt, zone)}</bdi>
          {' · '}
          {times.day(dayOf(visit.startsAt, zone), zone, 'long')}
          <br />
          {visit.segments.map(({ serviceName }) => serviceName).join(', ')} · <bdi>{names.join(', ')}</bdi>
        </p>
        {isWaiting && <Notice icon="clock">{t('visitWaits')}</Notice>}
        {isMoving ? (
          <Move visit={visit} diary={diary} days={days} acts={acts} onDone={() => setIsMoving(false)} />
        ) : (
          isOpen && <Steps visit={visit} now={now} acts={acts} />
        )}
        <p className="small muted">{t('onlyOnline')}</p>
      </div>
    </Frame>
  )
}

/** What was opened needs the server. */
export function OnlineOnly({ Frame }: { Frame: FrameOf }) {
  const { t } = useTranslation('day-sheet')
  const title = useId()
  const head = (
    <h2 id={title} className="d4">
      {t('needsConnection')}
    </h2>
  )
  return (
    <Frame labelledBy={title} head={head}>
      <p>{t('onlyOnline')}</p>
    </Frame>
  )
}
