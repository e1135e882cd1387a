// One payout with every payment, refund and fee it is made up of.
import { useState, type RefObject } from 'react'
import { Link } from 'react-router'
import { NotForYou } from '#/not-for-you.tsx'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { PayoutCard } from './payout-card.tsx'
import { PayoutMoves } from './payout-moves.tsx'
import { usePayout, type PayoutWithMoves } from './use-payouts.ts'
import styles from './payouts.module.css'

const skeleton = (
  <>
    <RowSkeleton />
    <RowSkeleton />
    <RowSkeleton />
  </>
)

function useFile({ _id: id, arrivesOn }: PayoutWithMoves) {
  const { t } = useTranslation('payouts')
  const [isPending, setPending] = useState(false)
  async function fetchAndSave() {
    setPending(true)
    try {
      saveFile(await dashboardApi.payoutFile({ params: { id } }), `${t('one.fileName')}-${arrivesOn}.csv`)
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setPending(false)
    }
  }
  return { isPending, save: () => void fetchAndSave() }
}

function Made({ payout }: { payout: PayoutWithMoves }) {
  const { t } = useTranslation('payouts')
  const file = useFile(payout)
  const { moves, parts } = payout
  if (moves.length === 0) return null
  return (
    <section aria-labelledby="payout-parts">
      <header className={styles.head}>
        <h2 id="payout-parts" className="d4">
          {t('parts')}
        </h2>
        <Button variant="outline" icon="download" loading={file.isPending} onClick={file.save}>
          {t('one.download')}
        </Button>
      </header>
      <PayoutMoves payout={payout} />
      {parts !== null && parts > moves.length && <p className={`small muted ${styles.last}`}>{t('one.last', { count: moves.length })}</p>}
    </section>
  )
}

export type OnePayoutProps = {
  id: string
  /** The list as it was left. */
  up: string
  heading: RefObject<HTMLHeadingElement | null>
}

export function OnePayout({ id, up, heading }: OnePayoutProps) {
  const { t } = useTranslation('payouts')
  const { t: sales } = useTranslation('sales')
  const { data, error, isPending, refetch } = usePayout(id)
  if (refusalCode(error) === 'forbidden') return <NotForYou />
  return (
    <>
      <PageHead title={t('one.title')} />
      <Link to={up} className={styles.up}>
        <Icon name="chevron-start" size={18} />
        {t('title')}
      </Link>
      <h1 ref={heading} tabIndex={-1} className={`d2 ${styles.title}`}>
        {t('one.title')}
      </h1>
      {error && !data ? (
        <ErrorState
          title={t(refusalCode(error) === 'not_found' ? 'one.gone' : 'one.failed')}
          retryLabel={sales('retry')}
          onRetry={() => void refetch()}
        >
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('one.loading')} skeleton={skeleton}>
          {data && (
            <div className={styles.one}>
              <PayoutCard payout={data} timeZone={data.timeZone} />
              <Made payout={data} />
            </div>
          )}
        </Loading>
      )}
    </>
  )
}
