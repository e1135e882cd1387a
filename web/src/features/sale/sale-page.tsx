// One sale: what was sold, what happened to its money, and what of it went back.
import type { Sale } from '@soigne/contract/sales'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { customerPath, tillPath } from '#/dashboard-paths.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useList } from '#/platform/lists.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { dayOf, useTimes } from '#/platform/time.ts'
import { SessionPart } from '#/session-part.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Disputes } from '#/disputes.tsx'
import { RefusedRefunds } from '#/refused-refunds.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { CreditNotes } from './credit-notes.tsx'
import { NotForYou } from '#/not-for-you.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { SaleFee } from './sale-fee.tsx'
import { SaleLines } from './sale-lines.tsx'
import { SaleMoney } from './sale-money.tsx'
import { usePdf } from './use-pdf.ts'
import styles from './sale.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['sales', 'labels'] }

function useWhose(sale: Sale) {
  const { t } = useTranslation('sales')
  const times = useTimes()
  const list = useList()
  const name = sale.client?.name || t('walkIn')
  const day = times.day(dayOf(sale.startsAt ?? sale.at, sale.timeZone), sale.timeZone, 'full')
  return {
    name,
    line: sale.staff.length > 0 ? t('sale.whoseWith', { name, day, names: list(sale.staff) }) : t('sale.whose', { name, day }),
  }
}

function Actions({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const [isRefunding, setRefunding] = useState(false)
  const pdf = usePdf(sale)
  const [invoice] = sale.documents
  const isOpen = sale.can.take && sale.due.amount > 0 && sale.appointmentId !== null
  return (
    <div className={styles.tools}>
      {invoice && (
        <Button variant="outline" icon="download" loading={pdf.isPending} onClick={() => pdf.save(invoice)}>
          {t('sale.pdf')}
        </Button>
      )}
      {sale.can.refund && invoice && (
        <Button variant={isOpen ? 'outline' : 'solid'} icon="repeat" onClick={() => setRefunding(true)}>
          {t('refund.open')}
        </Button>
      )}
      {isOpen && (
        <ButtonLink to={tillPath(sale.appointmentId ?? '')} icon="cash">
          {t('sale.take')}
        </ButtonLink>
      )}
      {isRefunding && <RefundDialog sale={sale} onClose={() => setRefunding(false)} />}
    </div>
  )
}

function Head({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const { t: word } = useTranslation('labels')
  const { line } = useWhose(sale)
  const isAllBack = sale.refunded.amount >= sale.total.amount
  return (
    <header className={styles.head}>
      <div>
        <p className={styles.state}>
          <StatusChip status={sale.status} label={word(`statuses.${sale.status}`)} />
          {sale.refunded.amount > 0 && <span className="small muted">{t(isAllBack ? 'refunded' : 'partlyRefunded')}</span>}
        </p>
        <h1 className="d2">{sale.number === null ? t('sale.unnumbered') : <bdi dir="ltr">{sale.number}</bdi>}</h1>
        <p className="lede">{line}</p>
      </div>
      <Actions sale={sale} />
    </header>
  )
}

function ClientCard({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const { client } = sale
  if (!client?._id) return null
  return (
    <Link to={customerPath(client._id)} className={styles.client}>
      <FaceImage name={client.name} size={44} />
      <span>
        <bdi className="strong">{client.name}</bdi>
        <span className="small muted">{t('sale.record')}</span>
      </span>
      <Icon name="chevron-end" size={18} />
    </Link>
  )
}

function Seal({ sealed }: { sealed: boolean | null }) {
  const { t } = useTranslation('sales')
  if (sealed === null) return null
  return (
    <div className={sealed ? styles.sealed : styles.broken}>
      <p className="strong">
        <Icon name={sealed ? 'lock' : 'warning'} size={18} />
        {t(sealed ? 'sale.sealed' : 'sale.broken')}
      </p>
      <p className="small muted">{t(sealed ? 'sale.sealedText' : 'sale.brokenText')}</p>
    </div>
  )
}

function Whole({ sale }: { sale: Sale }) {
  return (
    <>
      <Head sale={sale} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <SaleLines sale={sale} />
          <RefusedRefunds refunds={sale.refusedRefunds} timeZone={sale.timeZone} />
          <Disputes disputes={sale.disputes} timeZone={sale.timeZone} />
          <SaleMoney sale={sale} />
          <SaleFee sale={sale} />
          {sale.appointmentId !== null && (sale.attendance === 'no_show' || sale.status === 'cancelled') && (
            <SessionPart visitId={sale.appointmentId} version={sale.documents.length} />
          )}
        </div>
        <div className={styles.side}>
          <CreditNotes sale={sale} />
          <ClientCard sale={sale} />
          <Seal sealed={sale.sealed} />
        </div>
      </div>
    </>
  )
}

export default function SalePage() {
  const { t } = useTranslation('sales')
  const { id = '' } = useParams()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.sales.one(id),
    queryFn: ({ signal }) => dashboardApi.sale({ params: { id } }, { signal }),
  })
  if (refusalCode(error) === 'forbidden') return <NotForYou />
  return (
    <>
      <PageHead title={data?.number ?? t('title')} />
      <Link to={paths.sales} className={styles.up}>
        <Icon name="chevron-start" size={18} />
        {t('title')}
      </Link>
      {error && !data ? (
        <ErrorState
          title={t(refusalCode(error) === 'not_found' ? 'sale.gone' : 'sale.failed')}
          retryLabel={t('retry')}
          onRetry={() => void refetch()}
        >
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading
          loading={isPending}
          label={t('sale.loading')}
          skeleton={
            <>
              <RowSkeleton />
              <RowSkeleton />
            </>
          }
        >
          {data && <Whole sale={data} />}
        </Loading>
      )}
    </>
  )
}
