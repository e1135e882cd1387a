// The visit that comes next, large: when, what, with whom, where.
import type { Appointment } from '@soigne/contract/appointments'
import { minuteMs } from '@soigne/contract/time'
import { useTranslation } from '#/platform/translation.ts'
import { appointmentPath } from '#/paths.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { ButtonLink, buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { directionsUrl } from '#/map/directions.ts'
import { VisitStatus } from './visit-status.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './next-visit.module.css'

/** The cover of the institute, drawn or photographed. */
export function VisitPicture({ url, className }: { url: string; className: string | undefined }) {
  return (
    <img className={classNames(url.startsWith('/art/') && 'art', className)} src={url} alt="" width={400} height={310} decoding="async" />
  )
}

/** In 3 days, in 40 minutes. */
function useHowSoon() {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  return (startsAt: string) => {
    const minutes = Math.round((parseInstant(startsAt) - Date.now()) / minuteMs)
    return minutes < 1 ? t('now') : times.soon(minutes)
  }
}

export type NextVisitProps = {
  visit: Appointment
  /** On its own page, or as one piece among others, in a place of a given height. */
  size?: 'large' | 'small'
}

export function NextVisit({ visit, size = 'large' }: NextVisitProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const howSoon = useHowSoon()
  const { institute, segments, startsAt } = visit
  const [first] = segments
  const isLarge = size === 'large'
  return (
    <section className={classNames(styles.next, isLarge ? styles.large : styles.small)} aria-label={t('nextVisit')}>
      <VisitPicture url={institute.coverUrl} className={styles.cover} />
      <div className={styles.words}>
        <div className={styles.head}>
          <span className={styles.soon}>
            <Petal height={13} />
            {howSoon(startsAt)}
          </span>
          {isLarge && <VisitStatus appointment={visit} />}
        </div>
        <h2 className={isLarge ? 'd2' : 'd3'}>{texts.when(startsAt, institute.timeZone)}</h2>
        <p className={styles.what}>
          {isLarge ? t('lasting', { services: texts.services(visit), duration: texts.duration(visit) }) : texts.services(visit)}
        </p>
        <div className={styles.who}>
          {first && <FaceImage name={first.staffName} photoUrl={first.staffImageUrl} />}
          <span className={`muted ${styles.where}`}>
            <span>{t('withAt', { names: texts.members(visit), name: institute.name })}</span>
            <span>{visit.atHome ? t('atHome') : <span dir="auto">{institute.address}</span>}</span>
          </span>
        </div>
        <div className={styles.buttons}>
          <ButtonLink to={appointmentPath(visit._id)} variant={isLarge ? 'solid' : 'soft'}>
            {t('details')}
          </ButtonLink>
          {!visit.atHome && (
            <a className={buttonClass({ variant: 'outline' })} href={directionsUrl(institute.location)} target="_blank" rel="noreferrer">
              <Icon name="pin" />
              {t('directions')}
            </a>
          )}
        </div>
      </div>
    </section>
  )
}
