// On the page of a visit that comes again: its rhythm, the others with their dates, and letting go what follows.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { type DayStyle, useTimes } from '#/platform/time.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'
import { useCancelSeries, useReadRest, useSeries } from './use-series.ts'
import styles from './series.module.css'

type Rest = NonNullable<Answer<Calls['series']>['rest']>

/** What becomes of the money and the sessions of those that go; nothing where nothing was paid. */
function RestSums({ rest: { late, refunded, atSalon, sessions } }: { rest: Rest }) {
  const { t } = useTranslation('series')
  const money = useMoney()
  return (
    <>
      {refunded.amount > 0 && <p className="strong">{t('cancel.back', { amount: money(refunded, true) })}</p>}
      {atSalon && <p className="strong">{t('cancel.atSalon', { amount: money(atSalon, true) })}</p>}
      {sessions > 0 && <p className="strong">{t('cancel.sessions', { count: sessions })}</p>}
      {late > 0 && <p className="small muted">{t('cancel.late', { count: late })}</p>}
    </>
  )
}

function CancelRest({ appointment, rest }: { appointment: Appointment; rest: Rest }) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const readRest = useReadRest(appointment._id)
  const cancel = useCancelSeries(appointment._id)
  const [isAsking, setAsking] = useState(false)
  const { institute } = appointment
  if (rest.count === 0 || rest.count + rest.late < 2) return null
  async function ask() {
    setAsking(true)
    const now = (await readRest()) ?? rest
    setAsking(false)
    const day = times.dayOfInstant(now.startsAt ?? appointment.startsAt, institute.timeZone, 'within')
    const isSure = await askConfirm({
      title: t('cancel.title'),
      message: t('cancel.message', { count: now.count, name: institute.name, day }),
      details: <RestSums rest={now} />,
    })
    if (!isSure) return
    cancel.mutate(undefined, {
      onSuccess: ({ cancelled }) => showToast({ type: 'success', title: t('cancel.done', { count: cancelled.length }) }),
      onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    })
  }
  return (
    <Button variant="text" loading={isAsking || cancel.isPending} onClick={() => void ask()}>
      {t('cancel.action')}
    </Button>
  )
}

export function SeriesPart({ appointment }: { appointment: Appointment }) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const { data } = useSeries(appointment._id)
  if (!data || data.everyWeeks === null) return null
  const { timeZone } = appointment.institute
  const booked = data.items.filter(({ status }) => status !== 'cancelled')
  if (booked.length < 2) return null
  return (
    <section className={styles.part} aria-labelledby="series">
      <p className="small muted">{t('part')}</p>
      <h2 id="series" className="d4">
        {t('partTitle', { count: data.everyWeeks })}
      </h2>
      <ol className={styles.rows}>
        {booked.map(({ _id, startsAt, movedFrom }) => {
          const whenIs = (at: string, style: DayStyle = 'full') =>
            t('when', { day: times.dayOfInstant(at, timeZone, style), time: times.time(at, timeZone) })
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
              {movedFrom && <span className="small muted">{t('moved', { when: whenIs(movedFrom, 'within') })}</span>}
            </li>
          )
        })}
      </ol>
      {data.rest && <CancelRest appointment={appointment} rest={data.rest} />}
    </section>
  )
}
