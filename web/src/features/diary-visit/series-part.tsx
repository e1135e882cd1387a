// The dates of a visit that comes again, each with its way there: one is moved or cancelled by itself.
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { type DayStyle, dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import type { VisitDetail } from './visit-parts.tsx'
import styles from './visit.module.css'

export function SeriesPart({ detail }: { detail: VisitDetail | undefined }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  if (!detail?.series) return null
  const zone = detail.timeZone
  const { everyWeeks, visits } = detail.series
  const when = (at: string, style?: DayStyle): string => `${times.dayOfInstant(at, zone, style)} ${timeText(at, zone)}`
  return (
    <details className={styles.part}>
      <summary className="label-heading">{t('series.title', { count: everyWeeks })}</summary>
      <p className="small muted">{t('series.text')}</p>
      <ol className={styles.history}>
        {visits.map(({ _id, startsAt, movedFrom }) => (
          <li key={_id} aria-current={_id === detail._id || undefined}>
            {_id === detail._id ? (
              <span>
                <bdi>{when(startsAt)}</bdi> <span className="small muted">{t('series.here')}</span>
              </span>
            ) : (
              <Link className="link" to={`${paths.diary}?${new URLSearchParams({ day: dayOf(startsAt, zone), visit: _id })}`}>
                <bdi>{when(startsAt)}</bdi>
              </Link>
            )}
            {movedFrom !== null && <span className="small muted">{t('series.moved', { when: when(movedFrom, 'date') })}</span>}
          </li>
        ))}
      </ol>
    </details>
  )
}
