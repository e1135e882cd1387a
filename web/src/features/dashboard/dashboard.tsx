// My Salon: the day as it stands, what waits for somebody, and figures.
import type { Dashboard } from '@soigne/contract/dashboard'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { blockTimePath, bookForPath } from '#/dashboard-paths.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Disputes } from '#/disputes.tsx'
import { RefusedRefunds } from '#/refused-refunds.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { useMay } from '#/use-may.ts'
import { OwnVisits } from './own-visits.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { GapsCard } from './gaps-card.tsx'
import { FiguresCard } from './figures-card.tsx'
import { OccupancyCard } from './occupancy-card.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { TodayCard } from './today-card.tsx'
import styles from './dashboard.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'labels', 'sales'] }

/** By the clock of the institute. */
function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}

function Heading({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const user = useUser()
  const mayChange = useMay('diary.change')
  const { now, timeZone, visits } = data
  const part = partOfDay(Number.parseInt(times.time(now, timeZone), 10))
  const over = visits.filter(({ endsAt }) => endsAt <= now).length
  return (
    <div className={styles.heading}>
      <div>
        <h1 className="d2">{t(`greeting.${part}`, { name: user?.firstName ?? '' })}</h1>
        <p className="lede muted">
          {visits.length === 0 ? t('sentence.none') : t('sentence.visits', { count: visits.length })}
          {over > 0 && ` ${t('sentence.over', { count: over })}`}
        </p>
      </div>
      {mayChange && (
        <div className={styles.actions}>
          <ButtonLink to={blockTimePath} variant="outline" icon="block">
            {t('actions.block')}
          </ButtonLink>
          <ButtonLink to={bookForPath()} icon="plus">
            {t('actions.book')}
          </ButtonLink>
        </div>
      )}
    </div>
  )
}

function ToDo({ toDo, seesSales }: { toDo: Dashboard['toDo']; seesSales: boolean }) {
  const { t } = useTranslation('dashboard')
  const { unmarked, unreadChats, unansweredReviews, leaveRequests, unpaid } = toDo
  const items = [
    { key: 'unmarked', count: unmarked, to: paths.diary, icon: 'calendar', text: t('toDo.unmarked', { count: unmarked }) },
    {
      key: 'unpaid',
      count: unpaid ?? 0,
      // The desk counts those of today, and takes the money in the calendar.
      to: seesSales ? `${paths.sales}?period=last7days&due=true` : paths.diary,
      icon: 'receipt',
      text: t('toDo.unpaid', { count: unpaid ?? 0 }),
    },
    {
      key: 'chats',
      count: unreadChats ?? 0,
      to: paths.instituteChats,
      icon: 'message',
      text: t('toDo.chats', { count: unreadChats ?? 0 }),
    },
    {
      key: 'reviews',
      count: unansweredReviews ?? 0,
      to: paths.ownSalon,
      icon: 'star',
      text: t('toDo.reviews', { count: unansweredReviews ?? 0 }),
    },
    {
      key: 'requests',
      count: leaveRequests ?? 0,
      to: `${paths.team}#requests`,
      icon: 'sun',
      text: t('toDo.requests', { count: leaveRequests ?? 0 }),
    },
  ] as const
  const open = items.filter(({ count }) => count > 0)
  if (open.length === 0) return null
  return (
    <section className={styles.toDo} aria-labelledby="to-do">
      <h2 id="to-do" className="d4">
        {t('toDo.title')}
      </h2>
      <ul>
        {open.map(({ key, to, icon, text }) => (
          <li key={key}>
            <Link to={to} className={styles.toDoLink}>
              <Icon name={icon} size={20} />
              {text}
              <Icon name="chevron-end" size={18} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** With so few visits the list of today leaves room below it. */
const fewVisits = 3

function Day({ data, timeOff }: { data: Dashboard; timeOff: ReactNode }) {
  const isQuiet = data.visits.length <= fewVisits
  return (
    <>
      <Heading data={data} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <TodayCard data={data} />
          {isQuiet && (
            <div className={styles.below}>
              <GapsCard />
            </div>
          )}
        </div>
        <div className={styles.column}>
          <RefusedRefunds refunds={data.toDo.refusedRefunds ?? []} timeZone={data.timeZone} leads />
          <Disputes disputes={data.toDo.disputes ?? []} timeZone={data.timeZone} leads />
          <ToDo toDo={data.toDo} seesSales={data.revenue !== null} />
          {/* Who may change the team marks themselves away there. */}
          {data.toDo.leaveRequests === null && timeOff}
          {data.revenue && <RevenueCard revenue={data.revenue} timeZone={data.timeZone} />}
          <OccupancyCard data={data} />
          {!isQuiet && <GapsCard />}
        </div>
      </div>
      <FiguresCard />
    </>
  )
}

export type DashboardContentProps = {
  /** Days off of who signs in. */
  timeOff?: ReactNode
}

export function DashboardContent({ timeOff }: DashboardContentProps) {
  const { t } = useTranslation('dashboard')
  const { data, error, refetch } = useQuery({
    queryKey: dashboardKeys.home,
    queryFn: ({ signal }) => dashboardApi.dashboard({}, { signal }),
    refetchInterval: minuteMs,
  })
  // Whoever sees their own visits alone has them in the calendar.
  if (error instanceof ApiError && error.code === 'forbidden') return <OwnVisits timeOff={timeOff} />
  if (error && !data)
    return (
      <>
        <h1 className="d2">{t('head')}</h1>
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      </>
    )
  return (
    <div className={styles.place}>
      <PageHead title={t('head')} />
      <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
        {data && <Day data={data} timeOff={timeOff} />}
      </Loading>
    </div>
  )
}
