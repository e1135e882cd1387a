// The visits of today around the present: what is over above the line, what comes below it.
import type { Dashboard } from '@soigne/contract/dashboard'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { minutesBetween, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Petal } from '#/theme/icons/petal.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './dashboard.module.css'

type Visit = Dashboard['visits'][number]

/** Most rows before the rest is in the calendar. */
const mostRows = 12

function Attendance({ visit }: { visit: Visit }) {
  const { t } = useTranslation('dashboard')
  const { t: label } = useTranslation('labels')
  const { attendance, status } = visit
  if (attendance === 'expected' || attendance === 'done') return <StatusChip status={status} label={label(`statuses.${status}`)} />
  const look = attendance === 'no_show' ? ('cancelled' as const) : ('deposit_paid' as const)
  return <StatusChip status={look} label={t(`attendance.${attendance}`)} />
}

function VisitRow({ visit, timeZone }: { visit: Visit; timeZone: string }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const { startsAt, endsAt, customer, segments, status, attendance } = visit
  const staff = [...new Set(segments.map(({ staffName }) => staffName))]
  const [first] = segments
  return (
    <li className={styles.visit} data-status={attendance === 'no_show' ? 'no_show' : status}>
      <bdi className={`time ${styles.start}`}>{times.time(startsAt, timeZone)}</bdi>
      <span className={styles.edge} aria-hidden />
      <div className={styles.what}>
        <p className="strong truncate">{segments.map(({ serviceName }) => serviceName).join(', ')}</p>
        <p className="small muted">
          <bdi>{customer.name || t('walkIn')}</bdi> · {times.duration(minutesBetween(startsAt, endsAt))} · <bdi>{staff.join(', ')}</bdi>
        </p>
      </div>
      <span className={styles.face}>{first && <FaceImage name={first.staffName} photoUrl={first.staffImageUrl} size={34} />}</span>
      <Attendance visit={visit} />
    </li>
  )
}

function NowLine({ now, timeZone }: { now: string; timeZone: string }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  return (
    <li className={styles.now}>
      <Petal height={16} />
      <span className="small strong">{t('today.now', { time: times.time(now, timeZone) })}</span>
      <i aria-hidden />
    </li>
  )
}

export function TodayCard({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const { now, timeZone } = data
  // In order of their beginning, but who is still in the chair comes after whoever has left, also where they came first.
  const { gone = [], here = [] } = Object.groupBy(data.visits, ({ endsAt }) => (endsAt <= now ? 'gone' : 'here'))
  const visits = [...gone, ...here]
  const over = gone.length
  // The last that is over stands above the line; what was before it is in the calendar.
  const from = Math.max(0, Math.min(over - 1, visits.length - mostRows))
  const rows = visits.slice(from, from + mostRows)
  const left = visits.length - from - rows.length
  return (
    <section className={styles.card} aria-labelledby="today">
      <div className={styles.cardHead}>
        <h2 id="today" className="d4">
          {t('today.title')}
        </h2>
        <Link className="link small" to={paths.diary}>
          {t('today.open')}
        </Link>
      </div>
      {visits.length === 0 ? (
        <EmptyState vignette="chair" title={t('today.none')}>
          {t('today.noneText')}
        </EmptyState>
      ) : (
        <ul>
          {rows.map((visit, at) => (
            <Fragment key={visit._id}>
              {from + at === over && <NowLine now={now} timeZone={timeZone} />}
              <VisitRow visit={visit} timeZone={timeZone} />
            </Fragment>
          ))}
          {over >= from + rows.length && <NowLine now={now} timeZone={timeZone} />}
        </ul>
      )}
      {left > 0 && (
        <Link className="link small" to={paths.diary}>
          {t('today.more', { count: left })}
        </Link>
      )}
    </section>
  )
}
