// The visit that comes next, large: when, what, with whom, where.
import type { Appointment } from '@soigne/contract/appointments'
import { minuteMs } from '@soigne/contract/time'
import { useTranslation } from '#/platform/translation.ts'
import { appointmentPath } from '#/paths.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { ButtonLink, buttonClass } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { directionsUrl } from '#/map/directions.ts'
import { VisitStatus } from './visit-status.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visits.module.css'

/** In 3 days, in 40 minutes. */
export function useHowSoon() {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  return (startsAt: string) => {
    const minutes = Math.round((parseInstant(startsAt) - Date.now()) / minuteMs)
    return minutes < 1 ? t('now') : times.soon(minutes)
  }
}

export function NextVisit({ visit }: { visit: Appointment }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const howSoon = useHowSoon()
  const { institute, segments, startsAt } = visit
  const [first] = segments
  return (
    <section className={styles.next} aria-label={t('nextVisit')}>
      <div className={styles.nextCover}>
        <img
          className={institute.coverUrl.startsWith('/art/') ? 'art' : undefined}
          src={institute.coverUrl}
          alt=""
          width={520}
          height={330}
        />
      </div>
      <div className={styles.nextWords}>
        <div className={styles.nextHead}>
          <span className={styles.kicker}>
            <Petal height={13} />
            {howSoon(startsAt)}
          </span>
          <VisitStatus appointment={visit} />
        </div>
        <h2 className={`d2 ${styles.nextWhen}`}>{texts.when(startsAt, institute.timeZone)}</h2>
        <p className={styles.nextWhat}>
          {texts.services(visit)}, <bdi>{texts.duration(visit)}</bdi>
        </p>
        <div className={styles.nextWho}>
          {first && <FaceImage name={first.staffName} photoUrl={first.staffImageUrl} />}
          <span className="muted">
            {t('withAt', { names: texts.members(visit), name: institute.name })}
            <br />
            {institute.address}
          </span>
        </div>
        <div className={styles.nextButtons}>
          <ButtonLink to={appointmentPath(visit._id)}>{t('details')}</ButtonLink>
          <a className={buttonClass({ variant: 'outline' })} href={directionsUrl(institute.location)} target="_blank" rel="noreferrer">
            <Icon name="pin" />
            {t('directions')}
          </a>
        </div>
      </div>
    </section>
  )
}
