// What became of a series: the visits that are booked, and for those somebody else was faster with what is free near to them.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { Link } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import { useMakeSeries } from './use-series.ts'
import styles from './series.module.css'

type Made = Answer<Calls['makeSeries']>
export type SeriesMadeProps = {
  appointment: Appointment
  everyWeeks: number
  made: Made
  /** One more was booked in the place of one that was missed. */
  onMore: (made: Made) => void
  onClose: () => void
}

type MissedProps = {
  missed: Made['missed']
  whenOf: (startsAt: string) => string
  timeZone: string
  isBusy: boolean
  onTake: (lost: string, startsAt: string) => void
}

/** What somebody else was faster with, each with free times near to it. */
function Missed({ missed, whenOf, timeZone, isBusy, onTake }: MissedProps) {
  const { t } = useTranslation('series')
  const times = useTimes()
  if (missed.length === 0) return null
  return (
    <Notice tone="warning" announce title={t('missed', { count: missed.length })}>
      {missed.map(({ startsAt, conflict, nearest }) => (
        <div key={startsAt} className={styles.conflict}>
          <p className="small">
            {whenOf(startsAt)}: {conflict} {nearest.length === 0 && t('nothingNear')}
          </p>
          <ul className={styles.chips}>
            {nearest.map(({ startsAt: at }) => (
              <li key={at}>
                <SlotChip
                  time={times.time(at, timeZone)}
                  day={times.dayOfInstant(at, timeZone)}
                  unavailable={isBusy}
                  onClick={() => onTake(startsAt, at)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Notice>
  )
}

export function SeriesMade({ appointment, everyWeeks, made: { made, missed }, onMore, onClose }: SeriesMadeProps) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const make = useMakeSeries(appointment._id)
  const { timeZone } = appointment.institute
  const whenOf = (at: string) => t('when', { day: times.dayOfInstant(at, timeZone, 'full'), time: times.time(at, timeZone) })
  function take(lost: string, at: string) {
    make.mutate(
      { everyWeeks, startsAt: [at] },
      {
        onSuccess: (more) =>
          onMore({ made: [...made, ...more.made], missed: [...missed.filter((one) => one.startsAt !== lost), ...more.missed] }),
      },
    )
  }
  return (
    <>
      <ul className={styles.rows}>
        {made.map(({ _id, startsAt }) => (
          <li key={_id} className={styles.row}>
            <Link className="link" to={appointmentPath(_id)}>
              {whenOf(startsAt)}
            </Link>
          </li>
        ))}
      </ul>
      <Missed missed={missed} whenOf={whenOf} timeZone={timeZone} isBusy={make.isPending} onTake={take} />
      {make.error && (
        <Notice tone="error" announce title={t('notMade')}>
          {failureText(make.error)}
        </Notice>
      )}
      <Button wide onClick={onClose}>
        {t('close')}
      </Button>
    </>
  )
}
