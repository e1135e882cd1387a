// If plans change: free until a time, later only by phone, as accepted with the booking.
import type { Appointment } from '@soigne/contract/appointments'
import { parseInstant } from '#/platform/time.ts'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { PhoneLine } from './phone-line.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visit-detail.module.css'

export function VisitTerms({ appointment }: { appointment: Appointment }) {
  const [now] = useState(Date.now)
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { terms, institute, startsAt } = appointment
  const { freeUntil } = terms
  const { timeZone } = institute
  const isFree = freeUntil !== null && parseInstant(freeUntil) > now
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
        <div className={classNames(styles.span, !isFree && styles.late)}>
          <p className="strong">{t(freeUntil === null ? 'terms.always' : 'terms.after', { when: texts.whenInside(startsAt, timeZone) })}</p>
          <div className="small muted">
            <PhoneLine institute={institute} />
          </div>
        </div>
      </div>
    </section>
  )
}
