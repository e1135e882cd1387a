// What comes before a visit: until when plans may change, as accepted with the booking, and its reminders.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useQuery } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { useMoney } from '#/platform/money.ts'
import { dayOf, parseInstant, useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { PhoneLine } from './phone-line.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visit-detail.module.css'

export type VisitTermsProps = {
  appointment: Appointment
  /** What cancelling costs after the free time and until when it can be done, where it can. */
  late?: Answer<Calls['appointmentPayments']>['lateCancelling'] | undefined
  /** A session of a package pays for it, and goes with whoever goes late. */
  hasSession?: boolean | undefined
}

export function VisitTerms({ appointment, late = null, hasSession = false }: VisitTermsProps) {
  const [now] = useState(Date.now)
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { terms, institute, startsAt } = appointment
  const { freeUntil } = terms
  const { timeZone } = institute
  const money = useMoney()
  const isFree = freeUntil !== null && parseInstant(freeUntil) > now
  const isLate = late !== null && !isFree && parseInstant(late.until) > now
  // Where it can be done to the end, nobody has to ring.
  const isLateToTheEnd = late !== null && parseInstant(late.until) >= parseInstant(startsAt)
  return (
    <section className={styles.part}>
      <h2 className="d4">{t('plansChange')}</h2>
      <div className={styles.spans}>
        {freeUntil !== null && (
          <div className={classNames(styles.span, isFree && styles.current)}>
            <p className="strong">{texts.until('free', freeUntil, timeZone)}</p>
            <p className="small muted">{t('terms.free')}</p>
          </div>
        )}
        {late !== null && (
          <div className={classNames(styles.span, isLate && styles.late)}>
            <p className="strong">{texts.until(freeUntil === null ? 'only' : 'then', late.until, timeZone)}</p>
            {hasSession && <p className="small muted">{t('packages.cancelGone')}</p>}
            {(!hasSession || late.costs.amount > 0) && (
              <p className="small muted">{t('terms.costs', { amount: money(late.costs, true) })}</p>
            )}
          </div>
        )}
        {!isLateToTheEnd && (
          <div className={classNames(styles.span, !isFree && !isLate && styles.late)}>
            <p className="strong">{texts.until(freeUntil === null && late === null ? 'only' : 'then', startsAt, timeZone)}</p>
            <div className="small muted">
              <PhoneLine institute={institute} />
            </div>
          </div>
        )}
      </div>
    </section>
  )
}

type NeededByProps = {
  appointment: Appointment
  /** Of the visit once it is moved; null where it is cancelled. */
  segments?: Appointment['segments'] | null
}

/** What would miss this visit once it is cancelled, or be left without it by its new time. */
export function NeededBy({ appointment, segments = null }: NeededByProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const times = useTimes()
  const { neededBy = [], institute } = appointment
  return neededBy.map(({ _id, serviceName, startsAt, testId, from, by }) => {
    const ends = segments?.filter(({ serviceId }) => serviceId === testId).map(({ endsAt }) => parseInstant(endsAt))
    const isLate = ends?.every((end) => end > parseInstant(by))
    if (ends && !isLate && ends.some((end) => end >= parseInstant(from) && end <= parseInstant(by))) return null
    return (
      <p key={`${_id} ${testId}`} className="strong">
        {t(ends === undefined ? 'needed.cancelled' : isLate ? 'needed.late' : 'needed.early', {
          service: serviceName,
          when: texts.whenInside(startsAt, institute.timeZone),
          by: texts.whenInside(by, institute.timeZone),
          from: times.day(dayOf(from, institute.timeZone), institute.timeZone, 'within'),
        })}
      </p>
    )
  })
}

/** Nothing for a visit that nobody is reminded of, and nothing while that is not known. */
export function VisitReminders({ appointment: { _id: id, institute, startsAt } }: { appointment: Appointment }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { data } = useQuery({
    queryKey: queryKeys.reminders(id, startsAt),
    queryFn: ({ signal }) => api.reminders({ params: { id } }, { signal }),
  })
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles.part}>
      <h2 className="d4">{t('reminders.title')}</h2>
      <ul className={styles.lines}>
        {data.items.map(({ kind, dueAt, sentAt }) => (
          <li key={kind} className={styles.line}>
            <Icon name={sentAt === null ? 'clock' : 'check'} />
            <span className={styles.grow}>
              {t(sentAt === null ? 'reminders.due' : 'reminders.sent', { when: texts.whenInside(sentAt ?? dueAt, institute.timeZone) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
