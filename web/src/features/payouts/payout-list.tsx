// Payouts, the last first, with who sends them and when that was read.
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Pagination, pageSizes } from '#/ui/pagination.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { NotForYou } from '#/not-for-you.tsx'
import { PayoutCard } from './payout-card.tsx'
import { Waiting } from './waiting.tsx'
import { usePayouts, type Payouts, type Place } from './use-payouts.ts'
import styles from './payouts.module.css'

function CardSkeleton() {
  return (
    <div className={styles.card}>
      <div className={styles.facts}>
        <Skeleton width="9rem" height={36} />
        <Skeleton width="70%" height={18} />
        <Skeleton width="50%" height={14} />
      </div>
      <div className={styles.parts}>
        <Skeleton height={18} />
        <Skeleton height={18} />
      </div>
    </div>
  )
}

const skeleton = (
  <div className={styles.list}>
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </div>
)

function Sender({ provider }: Pick<Payouts, 'provider'>) {
  const { t } = useTranslation('payouts')
  if (provider === 'stripe') return <p className={`lede ${styles.sender}`}>{t('lede')}</p>
  if (provider === null) return null
  return (
    <Notice title={t('trial.title')} className={styles.sender}>
      {t('trial.text')}
    </Notice>
  )
}

function Cards({ payouts, place }: { payouts: Payouts; place: Place }) {
  const { t } = useTranslation('payouts')
  if (payouts.total === 0) {
    const why = payouts.provider === null ? 'noProvider' : 'empty'
    return <EmptyState title={t(`${why}.title`)}>{t(`${why}.text`)}</EmptyState>
  }
  return (
    <ol className={styles.list}>
      {payouts.items.map((payout) => (
        <li key={payout._id}>
          <PayoutCard payout={payout} timeZone={payouts.timeZone}>
            {payout.parts !== null && payout.parts > 0 && (
              <Link to={place.hrefFor({ payout: payout._id })} className={styles.see}>
                {t('see', { count: payout.parts })}
                <Icon name="chevron-end" size={18} />
              </Link>
            )}
          </PayoutCard>
        </li>
      ))}
    </ol>
  )
}

function Foot({ payouts, place }: { payouts: Payouts; place: Place }) {
  const { t } = useTranslation('payouts')
  const { t: sales } = useTranslation('sales')
  const times = useTimes()
  const { page, pageSize, total, readAt, timeZone } = payouts
  const labels = {
    navigation: sales('pages.label'),
    previous: sales('pages.previous'),
    next: sales('pages.next'),
    pageSize: sales('pages.size'),
    range: (from: number, to: number, all: number) => sales('pages.range', { from, to, total: all }),
  }
  return (
    <footer className={styles.foot}>
      {total > pageSizes[0] && <Pagination page={page} pageSize={pageSize} total={total} hrefFor={place.hrefFor} labels={labels} />}
      {readAt !== null && (
        <p className="small muted">{t('readAt', { day: times.dayOfInstant(readAt, timeZone), time: times.time(readAt, timeZone) })}</p>
      )}
    </footer>
  )
}

export type PayoutListProps = { place: Place; heading: RefObject<HTMLHeadingElement | null> }

export function PayoutList({ place, heading }: PayoutListProps) {
  const { t } = useTranslation('payouts')
  const { t: sales } = useTranslation('sales')
  const { data, error, isPending, refetch } = usePayouts(place.asked)
  if (refusalCode(error) === 'forbidden') return <NotForYou />
  return (
    <>
      <PageHead title={t('title')} />
      <Link to={paths.sales} className={styles.up}>
        <Icon name="chevron-start" size={18} />
        {sales('title')}
      </Link>
      <h1 ref={heading} tabIndex={-1} className={`d2 ${styles.title}`}>
        {t('title')}
      </h1>
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={sales('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={skeleton}>
          {data && (
            <>
              <Sender provider={data.provider} />
              <Waiting payouts={data} />
              <Cards payouts={data} place={place} />
              <Foot payouts={data} place={place} />
            </>
          )}
        </Loading>
      )}
    </>
  )
}
