// Booked: a ticket with the time, petals once, and the ways on.
import type { Appointment } from '@soigne/contract/appointments'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { inLine } from '#/platform/lists.ts'
import { appointmentPath } from '#/paths.ts'
import { directionsUrl } from '#/map/directions.ts'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { minutesBetween, useTimes } from '#/platform/time.ts'
import { Petal } from '#/theme/icons/petal.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { ButtonLink, buttonClass } from '#/ui/button.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { Notice } from '#/ui/notice.tsx'
import styles from './booked-screen.module.css'

const Confetti = lazily(async () => (await import('#/ui/confetti.tsx')).Confetti)

export type BookedScreenProps = {
  appointment: Appointment
  /** Petals fly when it was booked just now, not when the page is opened again. */
  isFresh: boolean
  /** Where this visit was needed for another: the way back to that. */
  onward?: ReactNode
  /** The button that saves the calendar file. */
  calendar: ReactNode
  /** What was paid online, in lines of this look. */
  renderPaid: (className: string | undefined) => ReactNode
}

/** The top of the ticket: when, what and where. */
function TicketText({ appointment, isFresh }: Pick<BookedScreenProps, 'appointment' | 'isFresh'>) {
  const { t, i18n } = useTranslation('booking')
  const times = useTimes()
  const { institute, segments, startsAt, endsAt, home } = appointment
  const { timeZone } = institute
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isFresh) heading.current?.focus({ preventScroll: true })
  }, [isFresh])
  const names = [...new Set(segments.map(({ staffName }) => staffName))]
  return (
    <div className={styles.words}>
      <p className={styles.kicker}>
        <Petal height={13} />
        {t(appointment.status === 'pending' && appointment.payAtSalon ? 'booked.kicker' : 'booked.kickerPaid')}
      </p>
      <h1 ref={heading} tabIndex={-1} className={`d1 ${styles.title}`}>
        <Trans
          ns="booking"
          i18nKey="booked.title"
          values={{ time: times.time(startsAt, timeZone) }}
          components={{ second: <i />, time: <bdi />, break: <br /> }}
        />
      </h1>
      <p className={styles.facts}>
        <span className="medium">
          {inLine(
            segments.map(({ serviceName }) => serviceName),
            i18n.language,
          )}
        </span>
        <br />
        {t('booked.when', {
          day: times.dayOfInstant(startsAt, timeZone, 'full'),
          duration: times.duration(minutesBetween(startsAt, endsAt)),
          names: inLine(names, i18n.language),
        })}
        <br />
        <Trans
          ns="booking"
          i18nKey={home ? 'booked.atHome' : 'booked.where'}
          values={{ name: institute.name, address: home ? [home.line, home.city].join(', ') : institute.address }}
          components={{ place: <span dir="auto" /> }}
        />
      </p>
    </div>
  )
}

/** Below the tear: what is to pay, and the ways on. */
function TicketEnd({ appointment, calendar, renderPaid, onward }: Omit<BookedScreenProps, 'isFresh'>) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const price = usePriceText()
  const { institute, overlapsWith, atHome } = appointment
  return (
    <div className={styles.end}>
      {appointment.status === 'pending' ? (
        <p className={styles.line}>
          <span className="muted">{t('booked.atSalon')}</span>
          <bdi className="strong tabular">{price(priceOfVisit(appointment))}</bdi>
        </p>
      ) : (
        renderPaid(styles.line)
      )}
      <p className={styles.line}>
        <span className="muted">{t('booked.reference')}</span>
        <bdi className="strong tabular">{appointment.reference}</bdi>
      </p>
      {overlapsWith && (
        <Notice tone="warning" className={styles.notice} title={t('overlap.title')}>
          <Trans
            ns="booking"
            i18nKey="overlap.text"
            values={{ name: overlapsWith.instituteName, time: times.time(overlapsWith.startsAt, institute.timeZone) }}
            components={{ visit: <Link className="link" to={appointmentPath(overlapsWith._id)} /> }}
          />
        </Notice>
      )}
      {onward && <div className={styles.onward}>{onward}</div>}
      <ButtonLink to={appointmentPath(appointment._id)} size="large" wide className={styles.see}>
        {t('booked.see')}
      </ButtonLink>
      <div className={styles.buttons}>
        {calendar}
        <ButtonLink to={`${appointmentPath(appointment._id)}#repeat`} variant="outline">
          {t('booked.repeat')}
        </ButtonLink>
        {!atHome && (
          <a className={buttonClass({ variant: 'outline' })} href={directionsUrl(institute.location)} target="_blank" rel="noreferrer">
            <Icon name="pin" />
            {t('booked.directions')}
          </a>
        )}
      </div>
    </div>
  )
}

export function BookedScreen({ appointment, isFresh, calendar, renderPaid, onward }: BookedScreenProps) {
  const { coverUrl } = appointment.institute
  return (
    <div className={styles.place}>
      {isFresh && (
        <Suspense>
          <Confetti />
        </Suspense>
      )}
      <div className={styles.ticket}>
        <div className={styles.cover}>
          <img className={coverUrl.startsWith('/art/') ? 'art' : undefined} src={coverUrl} alt="" width={480} height={190} />
        </div>
        <TicketText appointment={appointment} isFresh={isFresh} />
        <div className={styles.tear} />
        <TicketEnd appointment={appointment} calendar={calendar} renderPaid={renderPaid} onward={onward} />
      </div>
    </div>
  )
}
