// Sales: what was taken, what is still to pay, and each sale of a period.
import { useState } from 'react'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import table from '#/kit/table.module.css'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Pagination, pageSizes } from '#/ui/pagination.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'
import { Filters, Periods } from './sales-filters.tsx'
import { SalesTable } from './sales-table.tsx'
import { SalesTotals } from './sales-totals.tsx'
import { NotForYou } from '#/not-for-you.tsx'
import { OpenFees } from './open-fees.tsx'
import { TillDrawer } from './till-day.tsx'
import { useAsked, useSales, type Asking, type Sales } from './use-sales.ts'
import styles from './sales.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['sales', 'labels', 'dashboard'] }

function useExport({ period }: Asking['asked']) {
  const { t } = useTranslation('sales')
  const [isPending, setPending] = useState(false)
  async function start() {
    setPending(true)
    try {
      saveFile(await dashboardApi.exportSales({ query: { period } }), `${t('exportName')}-${period}.csv`)
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setPending(false)
    }
  }
  return { isPending, start: () => void start() }
}

function CloseTill({ zone }: { zone: string }) {
  const { t } = useTranslation('sales')
  const [isClosing, setClosing] = useState(false)
  return (
    <>
      <Button variant="text" icon="lock" onClick={() => setClosing(true)}>
        {t('till.open')}
      </Button>
      {isClosing && <TillDrawer zone={zone} onClose={() => setClosing(false)} />}
    </>
  )
}

function Counter() {
  const { t } = useTranslation('sales')
  return (
    <ButtonLink to={paths.counter} icon="plus">
      {t('add')}
    </ButtonLink>
  )
}

/** For who takes money and closes the till, and does not read what was taken. */
function AtTheDesk() {
  const { t } = useTranslation('sales')
  return (
    <>
      <PageHead title={t('title')} />
      <header className={styles.head}>
        <h1 className="d2">{t('title')}</h1>
        <div className={styles.tools}>
          <CloseTill zone={ownZone()} />
          <Counter />
        </div>
      </header>
      <EmptyState title={t('desk.title')}>{t('desk.text')}</EmptyState>
    </>
  )
}

function Head({ asking, zone }: { asking: Asking; zone: string }) {
  const { t } = useTranslation('sales')
  const mayTake = useMay('sales.take')
  const maySeePayouts = useMay('payouts.read')
  const file = useExport(asking.asked)
  return (
    <header className={styles.head}>
      <h1 className="d2">{t('title')}</h1>
      <div className={styles.tools}>
        {maySeePayouts && (
          <ButtonLink variant="text" icon="cash" to={paths.payouts}>
            {t('payouts')}
          </ButtonLink>
        )}
        {mayTake && <CloseTill zone={zone} />}
        <Button variant="outline" icon="download" loading={file.isPending} onClick={file.start}>
          {t('export')}
        </Button>
        {mayTake && <Counter />}
      </div>
    </header>
  )
}

function Nothing({ isNarrowed, hrefFor }: Asking) {
  const { t } = useTranslation('sales')
  if (isNarrowed)
    return (
      <EmptyState
        title={t('nothing.title')}
        action={
          <ButtonLink variant="outline" to={hrefFor({ what: '', status: '', method: '', staff: '' })}>
            {t('nothing.action')}
          </ButtonLink>
        }
      >
        {t('nothing.text')}
      </EmptyState>
    )
  return (
    <EmptyState
      title={t('empty.title')}
      action={
        <ButtonLink variant="outline" to={hrefFor({ period: 'allTime' })}>
          {t('empty.action')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </EmptyState>
  )
}

function List({ sales, asking }: { sales: Sales; asking: Asking }) {
  const { t } = useTranslation('sales')
  if (sales.total === 0) return <Nothing {...asking} />
  const labels = {
    navigation: t('pages.label'),
    previous: t('pages.previous'),
    next: t('pages.next'),
    pageSize: t('pages.size'),
    range: (from: number, to: number, total: number) => t('pages.range', { from, to, total }),
  }
  return (
    <div className={table.table}>
      <SalesTable sales={sales} />
      {sales.total > pageSizes[0] && (
        <div className={styles.foot}>
          <Pagination page={sales.page} pageSize={sales.pageSize} total={sales.total} hrefFor={asking.hrefFor} labels={labels} />
        </div>
      )}
    </div>
  )
}

const skeleton = (
  <>
    <RowSkeleton />
    <RowSkeleton />
    <RowSkeleton />
  </>
)

export default function SalesPage() {
  const { t } = useTranslation('sales')
  const asking = useAsked()
  const { data, error, isPending, refetch } = useSales(asking)
  const mayTake = useMay('sales.take')
  const mayRead = useMay('sales.read')
  // Before any answer: while the list is asked for again, the till that is open at the desk would close.
  if (mayTake && !mayRead) return <AtTheDesk />
  if (refusalCode(error) === 'forbidden') return <NotForYou />
  return (
    <>
      <PageHead title={t('title')} />
      <Head asking={asking} zone={data?.timeZone ?? ownZone()} />
      <Periods {...asking} />
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={skeleton}>
          {data && <OpenFees zone={data.timeZone} />}
          {data && <SalesTotals totals={data.totals} period={asking.asked.period} />}
          <Filters {...asking} />
          {data && <List sales={data} asking={asking} />}
        </Loading>
      )}
    </>
  )
}
