// The till on its page: loading, refused, paid already, or open.
import { Link } from 'react-router'
import { salePath } from '#/dashboard-paths.ts'
import { NotForYou } from '#/not-for-you.tsx'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { useList } from '#/platform/lists.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { ClientPick } from './client-pick.tsx'
import { DiscountPart } from './discount-part.tsx'
import { PayBar, PayPanel } from './pay-panel.tsx'
import { TillLines } from './till-lines.tsx'
import { TipPart } from './tip-part.tsx'
import { useTill } from './use-till.ts'
import { useTillData, type TillData } from './use-till-data.ts'
import styles from './till.module.css'

function useWhen({ sale, timeZone }: TillData): string {
  const { t } = useTranslation('till')
  const times = useTimes()
  const list = useList()
  if (!sale?.startsAt || !sale.endsAt) return t('counterText')
  const day = times.day(dayOf(sale.startsAt, timeZone), timeZone, 'long')
  const [from, to] = [timeText(sale.startsAt, timeZone), timeText(sale.endsAt, timeZone)]
  return sale.staff.length > 0 ? t('whenWith', { day, from, to, names: list(sale.staff) }) : t('when', { day, from, to })
}

function Head({ data, visitId }: { data: TillData; visitId: string | null }) {
  const { t } = useTranslation('till')
  const when = useWhen(data)
  const name = data.sale?.client?.name || t('walkIn')
  return (
    <header className={styles.head}>
      <div>
        <h1 className="d2">{t(visitId === null ? 'counter' : 'title')}</h1>
        <p className="lede">{when}</p>
      </div>
      <div className={styles.headEnd}>
        {visitId !== null && (
          <p className={styles.whom}>
            <FaceImage name={name} size={36} />
            <bdi className="strong">{name}</bdi>
          </p>
        )}
        <Link to={visitId === null ? paths.sales : paths.diary} className={styles.leave}>
          <Icon name="close" size={18} />
          {t(visitId === null ? 'leave' : 'leaveOpen')}
        </Link>
      </div>
    </header>
  )
}

function OpenTill({ data, visitId, readAgain }: { data: TillData; visitId: string | null; readAgain: () => void }) {
  const till = useTill(visitId, data, readAgain)
  return (
    <>
      <Head data={data} visitId={visitId} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {visitId === null && <ClientPick client={till.client} onChange={till.setClient} />}
          <TillLines till={till} data={data} />
          <DiscountPart till={till} data={data} />
          <TipPart till={till} data={data} />
        </div>
        <PayPanel till={till} data={data} />
      </div>
      <PayBar till={till} data={data} />
    </>
  )
}

/** Paid meanwhile, or cancelled: there is nothing to take. */
function Settled({ data, visitId }: { data: TillData; visitId: string }) {
  const { t } = useTranslation('till')
  const isPaid = data.sale?.status === 'completed'
  return (
    <EmptyState
      as="h1"
      title={t(isPaid ? 'paid.title' : 'closed.title')}
      action={<ButtonLink to={isPaid ? salePath(visitId) : paths.diary}>{t(isPaid ? 'paid.action' : 'closed.action')}</ButtonLink>}
    >
      {t(isPaid ? 'paid.text' : 'closed.text')}
    </EmptyState>
  )
}

export function TillPlace({ visitId }: { visitId: string | null }) {
  const { t } = useTranslation('till')
  const { data, error, readAgain } = useTillData(visitId)
  if (refusalCode(error) === 'forbidden') return <NotForYou />
  const title = t(visitId === null ? 'counter' : 'title')
  return (
    <div className={styles.place}>
      <PageHead title={title} />
      {error ? (
        <ErrorState as="h1" title={t('failed')} retryLabel={t('retry')} onRetry={readAgain}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading
          loading={!data}
          label={t('loading')}
          skeleton={
            <>
              <RowSkeleton />
              <RowSkeleton />
            </>
          }
        >
          {data && visitId !== null && !data.sale?.can.take ? (
            <Settled data={data} visitId={visitId} />
          ) : (
            data && <OpenTill data={data} visitId={visitId} readAgain={readAgain} />
          )}
        </Loading>
      )}
    </div>
  )
}
