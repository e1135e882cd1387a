// What comes before a visit: until when plans may change, as accepted with the booking, and its reminders.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useQuery } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { useMoney } from '#/platform/money.ts'
import { parseInstant } from '#/platform/time.ts'
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
  /** A session of a package pays for it, which is what going late costs. */
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
            <p className="strong">{t('terms.until', { when: texts.whenInside(freeUntil, timeZone) })}</p>
            <p className="small muted">{t('terms.free')}</p>
          </div>
        )}
        {late !== null && (
          <div className={classNames(styles.span, isLate && styles.late)}>
            <p className="strong">
              {t(freeUntil === null ? 'terms.always' : 'terms.after', { when: texts.whenInside(late.until, timeZone) })}
            </p>
            <p className="small muted">{hasSession ? t('packages.cancelGone') : t('terms.costs', { amount: money(late.costs, true) })}</p>
          </div>
        )}
        {!isLateToTheEnd && (
          <div className={classNames(styles.span, !isFree && !isLate && styles.late)}>
            <p className="strong">
              {t(freeUntil === null && late === null ? 'terms.always' : 'terms.after', { when: texts.whenInside(startsAt, timeZone) })}
            </p>
            <div className="small muted">
              <PhoneLine institute={institute} />
            </div>
          </div>
        )}
      </div>
    </section>
  )
}

/** What would miss this visit once it is cancelled, or over only at `endsAt`. */
export function NeededBy({ appointment, endsAt = null }: { appointment: Appointment; endsAt?: string | null }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { neededBy = [], institute } = appointment
  const missing = neededBy.filter(({ by }) => endsAt === null || parseInstant(by) < parseInstant(endsAt))
  return missing.map(({ _id, serviceName, startsAt, by }) => (
    <p key={_id} className="strong">
      {t(endsAt === null ? 'needed.cancelled' : 'needed.late', {
        service: serviceName,
        when: texts.whenInside(startsAt, institute.timeZone),
        by: texts.whenInside(by, institute.timeZone),
      })}
    </p>
  ))
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
