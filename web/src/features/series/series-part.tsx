// On the page of a visit that comes again: its rhythm, the others with their dates, and letting go what follows.
import type { Appointment } from '@soigne/contract/appointments'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'
import { useCancelSeries, useSeries } from './use-series.ts'
import styles from './series.module.css'

function CancelRest({ appointment, following }: { appointment: Appointment; following: readonly Appointment[] }) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const cancel = useCancelSeries(appointment._id)
  const { institute } = appointment
  const may = following.filter(({ canCancel }) => canCancel)
  const first = may[0]
  if (!first || following.length < 2) return null
  const day = times.dayOfInstant(first.startsAt, institute.timeZone, 'full')
  const late = following.length - may.length
  async function ask() {
    const isSure = await askConfirm({
      title: t('cancel.title'),
      message: t('cancel.message', { count: may.length, name: institute.name, day }),
      ...(late > 0 && { details: <p className="small muted">{t('cancel.late', { count: late })}</p> }),
    })
    if (!isSure) return
    cancel.mutate(undefined, {
      onSuccess: ({ cancelled }) => showToast({ type: 'success', title: t('cancel.done', { count: cancelled.length }) }),
      onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    })
  }
  return (
    <Button variant="text" loading={cancel.isPending} onClick={() => void ask()}>
      {t('cancel.action')}
    </Button>
  )
}

export function SeriesPart({ appointment }: { appointment: Appointment }) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const [now] = useState(Date.now)
  const { data } = useSeries(appointment._id)
  if (!data || data.everyWeeks === null) return null
  const { timeZone } = appointment.institute
  const booked = data.items.filter(({ status }) => status !== 'cancelled')
  const from = parseInstant(appointment.startsAt)
  const following = booked.filter(({ startsAt }) => parseInstant(startsAt) >= from && parseInstant(startsAt) > now)
  if (booked.length < 2) return null
  return (
    <section className={styles.part} aria-labelledby="series">
      <p className="small muted">{t('part')}</p>
      <h2 id="series" className="d4">
        {t('partTitle', { count: data.everyWeeks })}
      </h2>
      <ol className={styles.rows}>
        {booked.map(({ _id, startsAt, movedFrom }) => {
          const whenIs = (at: string) => t('when', { day: times.dayOfInstant(at, timeZone, 'full'), time: times.time(at, timeZone) })
          const when = whenIs(startsAt)
          return (
            <li key={_id} className={styles.row} aria-current={_id === appointment._id || undefined}>
              {_id === appointment._id ? (
                <span>
                  {when} <span className="muted small">{t('here')}</span>
                </span>
              ) : (
                <Link className="link" to={appointmentPath(_id)}>
                  {when}
                </Link>
              )}
              {/* An answer that was kept from before has none. */}
              {movedFrom && <span className="small muted">{t('moved', { when: whenIs(movedFrom) })}</span>}
            </li>
          )
        })}
      </ol>
      <CancelRest appointment={appointment} following={following} />
    </section>
  )
}
