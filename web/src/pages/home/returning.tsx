// Home for who comes back: a greeting, the next visit with the way there, and what was booked before, one tap away.
// It comes after sign-in is known, into a place of its own size, so nothing on the page moves.
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useState, type ReactNode } from 'react'
import { Trans } from 'react-i18next'
import { useHowSoon } from '#/features/appointments/next-visit.tsx'
import { bookAgainPath } from '#/features/appointments/visit-row.tsx'
import { useVisitTexts } from '#/features/appointments/visit-texts.ts'
import { directionsUrl } from '#/map/directions.ts'
import { appointmentPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { ButtonLink, buttonClass } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import styles from './returning.module.css'

/** As people greet: the morning ends at noon, the day at six. */
export function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 12) return 'morning'
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening'
}

/** A line of its own; a name too long for it is cut. */
function Name({ children }: { children?: ReactNode }) {
  return (
    <span className={styles.name}>
      <i>{children}</i>
    </span>
  )
}

export function Greeting({ firstName }: { firstName: string }) {
  const { t } = useTranslation('appointments')
  const [hour] = useState(() => new Date().getHours())
  return <Trans t={t} i18nKey={`welcome.${partOfDay(hour)}`} values={{ name: firstName }} components={{ who: <Name /> }} />
}

/** Each booking once, the last first. */
export function bookedBefore(past: readonly Appointment[], most: number): Appointment[] {
  const found = new Map<string, Appointment>()
  for (const visit of past) {
    const path = bookAgainPath(visit)
    if (visit.status !== 'cancelled' && !found.has(path)) found.set(path, visit)
  }
  return [...found.values()].slice(0, most)
}

function Picture({ url, className }: { url: string; className: string | undefined }) {
  return (
    <img className={`${url.startsWith('/art/') ? 'art ' : ''}${className}`} src={url} alt="" width={400} height={310} decoding="async" />
  )
}

function Next({ visit }: { visit: Appointment }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const howSoon = useHowSoon()
  const { institute, segments, startsAt } = visit
  const [first] = segments
  return (
    <section className={styles.next} aria-label={t('nextVisit')}>
      <Picture url={institute.coverUrl} className={styles.cover} />
      <div className={styles.words}>
        <p className={styles.soon}>
          <Petal height={13} />
          {howSoon(startsAt)}
        </p>
        <h2 className={`d3 ${styles.when}`}>{texts.when(startsAt, institute.timeZone)}</h2>
        <p className="strong truncate">{texts.services(visit)}</p>
        <p className={styles.who}>
          {first && <FaceImage name={first.staffName} photoUrl={first.staffImageUrl} />}
          <span className={`small muted ${styles.where}`}>
            <span className="truncate">{t('withAt', { names: texts.members(visit), name: institute.name })}</span>
            <span className="truncate">{institute.address}</span>
          </span>
        </p>
        <p className={styles.buttons}>
          <a className={buttonClass({ variant: 'soft' })} href={directionsUrl(institute.location)} target="_blank" rel="noreferrer">
            <Icon name="pin" />
            {t('directions')}
          </a>
          <ButtonLink to={appointmentPath(visit._id)} variant="outline">
            {t('details')}
          </ButtonLink>
        </p>
      </div>
    </section>
  )
}

function Again({ visits }: { visits: readonly Appointment[] }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  return (
    <section aria-labelledby="again">
      <h2 id="again" className="d5">
        {t('welcome.again')}
      </h2>
      <ul className={styles.again}>
        {visits.map((visit) => (
          <li key={visit._id}>
            <Picture url={visit.institute.coverUrl} className={styles.thumb} />
            <span className={styles.where}>
              <span className="strong truncate">{texts.services(visit)}</span>
              <span className="small muted truncate">{t('withAt', { names: texts.members(visit), name: visit.institute.name })}</span>
            </span>
            <ButtonLink
              to={bookAgainPath(visit)}
              variant="soft"
              size="small"
              aria-label={t('welcome.bookOne', { services: texts.services(visit), name: visit.institute.name })}
            >
              {t('bookAgain')}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Beside a visit ahead there is room for two bookings more, alone for four. */
const mostAgain = { beside: 2, alone: 4 }

const upcoming = { when: 'upcoming', page: 1, pageSize: 10 } as const
const past = { when: 'past', page: 1, pageSize: 20 } as const

/** Without a visit ahead or behind, what guests see. */
export function Returning({ windows }: { windows: ReactNode }) {
  const ahead = useQuery({
    queryKey: queryKeys.appointments.list({ ...upcoming, status: null }),
    queryFn: ({ signal }) => api.appointments({ query: upcoming }, { signal }),
  })
  const behind = useQuery({
    queryKey: queryKeys.appointments.list({ ...past, status: null }),
    queryFn: ({ signal }) => api.appointments({ query: past }, { signal }),
  })
  if (ahead.error || behind.error) return windows
  // Both or neither: one alone would move when the other comes.
  if (!ahead.data || !behind.data) return <div className={styles.waiting} aria-hidden="true" />
  const next = ahead.data.items.find(({ status }) => status !== 'cancelled')
  const visits = bookedBefore(behind.data.items, next ? mostAgain.beside : mostAgain.alone)
  if (!next && visits.length === 0) return windows
  return (
    <div className={styles.returning}>
      {next && <Next visit={next} />}
      {visits.length > 0 && <Again visits={visits} />}
    </div>
  )
}
