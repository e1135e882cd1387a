// Home for who comes back: a greeting, the next visit with the way there, and what was booked before, one tap away.
// It comes after sign-in is known, into a place of its own size, so nothing on the page moves.
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useState, type ReactNode } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { NextVisit, VisitPicture } from '#/features/appointments/next-visit.tsx'
import { bookAgainPath } from '#/features/appointments/visit-row.tsx'
import { useVisitTexts } from '#/features/appointments/visit-texts.ts'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { ButtonLink } from '#/ui/button.tsx'
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
            <VisitPicture url={visit.institute.coverUrl} className={styles.thumb} />
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
      {next && <NextVisit visit={next} size="small" />}
      {visits.length > 0 && <Again visits={visits} />}
    </div>
  )
}
