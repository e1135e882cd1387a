// One visit: when, what is planned, what there is to pay, and what changing one's mind costs.
import type { Appointment } from '@soigne/contract/appointments'
import { useState, type ReactNode, type Ref } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { paths, salonPath } from '#/paths.ts'
import { telAddress } from '#/platform/phone.ts'
import { priceOfSegment, usePriceText } from '#/prices.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { RowSkeleton, Skeleton } from '#/ui/skeleton.tsx'
import { directionsUrl } from '#/map/directions.ts'
import { AsOf, VisitStatus } from './visit-status.tsx'
import { VisitReminders, VisitTerms, type VisitTermsProps } from './visit-terms.tsx'
import { minutesOf } from './visit-texts.ts'
import styles from './visit-detail.module.css'

export type VisitDetailProps = {
  appointment: Appointment
  /** Move, calendar, cancel. */
  actions: ReactNode
  /** Stands between the head and the plan, such as choosing another time. */
  change: ReactNode
  /** Stands below the name of a service, by its place. */
  ofService?: ((place: number) => ReactNode) | undefined
  /** Stands below the address of a visit at home. */
  ofHome?: ReactNode
  map: ReactNode
  /** What was paid and what is left. */
  money: ReactNode
  /** Whether money was paid, kept or charged for it; then its lines say what becomes of it. */
  hasMoney?: boolean | undefined
  /** What going late costs. */
  late?: Omit<VisitTermsProps, 'appointment'>
  /** Stands below the terms. */
  after?: ReactNode
  heading: Ref<HTMLHeadingElement>
}

function Planned({ appointment, ofService }: Pick<VisitDetailProps, 'appointment' | 'ofService'>) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const price = usePriceText()
  const { segments, institute, note, status, endsAt } = appointment
  const [now] = useState(Date.now)
  const isAhead = status !== 'cancelled' && parseInstant(endsAt) > now
  const members = [...new Map(segments.map((segment) => [segment.staffId, segment])).values()]
  return (
    <section className={styles.part}>
      <h2 className="d4">{t(isAhead ? 'planned' : 'wasPlanned')}</h2>
      <ul className={styles.lines}>
        {segments.map((segment, place) => (
          <li key={`${segment.serviceId} ${segment.startsAt}`} className={styles.line}>
            <bdi className={`time ${styles.at}`}>{times.time(segment.startsAt, institute.timeZone)}</bdi>
            <span className={styles.service}>
              {segment.serviceName}
              {ofService && <span className={styles.ofService}>{ofService(place)}</span>}
            </span>
            <bdi className="muted tabular">{times.duration(minutesOf(segment))}</bdi>
            <bdi className={`strong tabular ${styles.price}`}>{price(priceOfSegment(segment))}</bdi>
          </li>
        ))}
        {members.map(({ staffId, staffName, staffImageUrl }) => (
          <li key={staffId} className={styles.line}>
            <span className={styles.at}>
              <FaceImage name={staffName} photoUrl={staffImageUrl} size={44} />
            </span>
            <span className={styles.grow}>{t('withNames', { names: staffName })}</span>
          </li>
        ))}
      </ul>
      {note && (
        <p className={styles.note}>
          <span className="small muted">{t('yourNote')}</span>
          <br />
          {note}
        </p>
      )}
    </section>
  )
}

/** One's own address, which only its own visit tells. */
function HomeLine({ home }: { home: Appointment['home'] }) {
  const { t } = useTranslation('appointments')
  return (
    <>
      {t('atHome')}
      {home && (
        <>
          <br />
          <span dir="auto">{home.line}</span>
          <br />
          <span dir="auto">{[home.postalCode, home.city].filter(Boolean).join(' ')}</span>
        </>
      )}
    </>
  )
}

function Place({ appointment, ofHome, map }: Pick<VisitDetailProps, 'appointment' | 'ofHome' | 'map'>) {
  const { t } = useTranslation('appointments')
  const { institute } = appointment
  return (
    <aside className={styles.place} aria-label={t('place')}>
      <div className={styles.cover}>
        <img
          className={institute.coverUrl.startsWith('/art/') ? 'art' : undefined}
          src={institute.coverUrl}
          alt=""
          width={480}
          height={200}
        />
      </div>
      <div className={styles.placeWords}>
        <h2 className="d4">
          <Link to={salonPath(institute.slug)} className={styles.name}>
            {institute.name}
          </Link>
        </h2>
        <p className={styles.address}>
          {appointment.atHome ? <HomeLine home={appointment.home} /> : <span dir="auto">{institute.address}</span>}
        </p>
        {ofHome}
        {institute.phone && (
          <p>
            <a className="link" href={telAddress(institute.phone)}>
              <bdi>{institute.phone}</bdi>
            </a>
          </p>
        )}
        {!appointment.atHome && (
          <a
            className={buttonClass({ variant: 'outline', size: 'small' }, styles.way)}
            href={directionsUrl(institute.location)}
            target="_blank"
            rel="noreferrer"
          >
            <Icon name="pin" size={18} />
            {t('directions')}
          </a>
        )}
      </div>
      {!appointment.atHome && <div className={styles.map}>{map}</div>}
    </aside>
  )
}

function BelowTitle({ appointment, hasMoney }: Pick<VisitDetailProps, 'appointment' | 'hasMoney'>) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const { status, overlapsWith, institute } = appointment
  return (
    <>
      {status === 'cancelled' && <p className={styles.gone}>{t(hasMoney === false ? 'letGo' : 'letGoAfterMoney')}</p>}
      {overlapsWith && (
        <p className="small muted">
          {t('overlaps', { name: overlapsWith.instituteName, time: times.time(overlapsWith.startsAt, institute.timeZone) })}
        </p>
      )}
    </>
  )
}

export function VisitDetail({
  appointment,
  actions,
  change,
  ofService,
  ofHome,
  map,
  money,
  hasMoney,
  late,
  after,
  heading,
}: VisitDetailProps) {
  const [now] = useState(Date.now)
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const { institute, startsAt, status } = appointment
  const { timeZone } = institute
  return (
    <div className={`page ${styles.page}`}>
      <Link to={paths.appointments} className={`small ${styles.back}`}>
        <Icon name="chevron-start" size={18} className="mirrors" />
        {t('short')}
      </Link>
      <div className={`two-panes ${styles.panes}`}>
        <div>
          <div className={styles.head}>
            <VisitStatus appointment={appointment} />
            <span className="small muted">
              {t('reference')} <bdi className="tabular">{appointment.reference}</bdi>
            </span>
          </div>
          <h1 ref={heading} tabIndex={-1} className={`d1 ${styles.title}`}>
            <Trans
              ns="appointments"
              i18nKey="dateTitle"
              values={{ day: times.dayOfInstant(startsAt, timeZone, 'full'), time: times.time(startsAt, timeZone) }}
              components={{ second: <i />, time: <bdi />, break: <br /> }}
            />
          </h1>
          <BelowTitle appointment={appointment} hasMoney={hasMoney} />
          <AsOf />
          <div className={styles.actions}>{actions}</div>
          {change}
          <Planned appointment={appointment} ofService={ofService} />
          {money}
          {status !== 'cancelled' && parseInstant(startsAt) > now && (
            <>
              <VisitTerms appointment={appointment} {...late} />
              <VisitReminders appointment={appointment} />
            </>
          )}
          {after}
        </div>
        <Place appointment={appointment} ofHome={ofHome} map={map} />
      </div>
    </div>
  )
}

/** The geometry of a visit while it is on its way. */
export function VisitSkeleton() {
  return (
    <div className={`page ${styles.page}`}>
      <div className={styles.back}>
        <Skeleton width={120} height={18} />
      </div>
      <div className={`two-panes ${styles.panes}`}>
        <div className={styles.waiting}>
          <Skeleton width={180} height={26} />
          <Skeleton width="min(560px, 90%)" height={128} />
          <Skeleton width="min(380px, 100%)" height={48} radius={14} />
          <div>
            <RowSkeleton />
            <RowSkeleton />
            <RowSkeleton />
          </div>
        </div>
        <div className={`${styles.place} ${styles.waitingCard}`}>
          <Skeleton height={200} radius={0} />
          <Skeleton width="60%" height={28} />
          <Skeleton width="80%" height={18} />
          <Skeleton height={220} radius={0} />
        </div>
      </div>
    </div>
  )
}
