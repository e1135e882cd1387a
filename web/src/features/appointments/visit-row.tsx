// One visit of the list: its date in big figures, what and where, its state and the way to its details.
import type { Appointment } from '@soigne/contract/appointments'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { appointmentPath, bookingPath } from '#/paths.ts'
import { dayOf, parseInstant, useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { VisitStatus } from './visit-status.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visits.module.css'

/** The booking of the same services with the same people, at the step that asks for the time. */
export function bookAgainPath({ institute, segments }: Pick<Appointment, 'institute' | 'segments'>): string {
  const choice = new URLSearchParams(segments.map(({ serviceId }) => ['service', serviceId]))
  for (const { staffId } of segments) choice.append('staff', staffId)
  return bookingPath(institute.slug, choice)
}

export function VisitRow({ visit }: { visit: Appointment }) {
  const [now] = useState(Date.now)
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const texts = useVisitTexts()
  const { institute, startsAt } = visit
  const { timeZone, coverUrl } = institute
  const day = dayOf(startsAt, timeZone)
  // The figure stands above: Today, Fri, Fri Nov.
  const beside = times.day(day, timeZone, 'short').replace(/\s*\b\d{1,2}\b/, '')
  const isOver = visit.status === 'cancelled' || parseInstant(visit.endsAt) < now
  return (
    <li className={styles.row}>
      <div className={styles.date}>
        <bdi className={`time ${styles.figure}`}>{day.slice(8)}</bdi>
        <span className="fine muted">{beside}</span>
      </div>
      <div className={styles.thumb}>
        <img className={coverUrl.startsWith('/art/') ? 'art' : undefined} src={coverUrl} alt="" width={92} height={76} loading="lazy" />
      </div>
      <div className={styles.what}>
        <h3 className={styles.services}>{texts.services(visit)}</h3>
        <p className="small muted">
          <bdi>{times.time(startsAt, timeZone)}</bdi> · <bdi className={styles.name}>{institute.name}</bdi> ·{' '}
          {t('withNames', { names: texts.members(visit) })}
        </p>
      </div>
      <div className={styles.state}>
        <VisitStatus appointment={visit} />
      </div>
      <div className={styles.more}>
        <ButtonLink
          to={appointmentPath(visit._id)}
          variant="outline"
          size="small"
          aria-label={t('detailsOf', { services: texts.services(visit), when: texts.when(startsAt, timeZone) })}
        >
          {t('details')}
        </ButtonLink>
        {isOver && (
          <ButtonLink to={bookAgainPath(visit)} variant="soft" size="small">
            {t('bookAgain')}
          </ButtonLink>
        )}
      </div>
    </li>
  )
}

/** The geometry of the list while it is on its way. */
export function VisitsSkeleton() {
  return (
    <>
      <Skeleton height={330} radius={28} />
      <div className={styles.heading}>
        <Skeleton width={120} height={24} />
      </div>
      {[0, 1, 2].map((index) => (
        <div key={index} className={styles.row}>
          <Skeleton height={60} />
          <Skeleton height={76} radius={12} />
          <Skeleton width="60%" height={40} />
        </div>
      ))}
    </>
  )
}
