// The account of the institute at Stripe: whether clients can pay it online, and the way to Stripe while they cannot.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { PaymentAccountState } from '@soigne/contract/payment-accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice, type NoticeTone } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from '#/features/institute-settings/institute-settings.module.css'

const tones: Record<PaymentAccountState, NoticeTone> = { none: 'info', incomplete: 'warning', ready: 'success', payouts_stopped: 'warning' }

function Connect({ isBegun }: { isBegun: boolean }) {
  const { t } = useTranslation('institute-settings')
  const connect = useMutation({
    mutationFn: () => dashboardApi.connectPaymentAccount({}),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  return (
    <Button loading={connect.isPending} onClick={() => connect.mutate()}>
      {t(isBegun ? 'account.continue' : 'account.connect')}
    </Button>
  )
}

export type StripeAccountProps = { account: NonNullable<InstituteSettings['paymentAccount']> }

export function StripeAccount({ account }: StripeAccountProps) {
  const { t } = useTranslation('institute-settings')
  // Stripe leads back here: what it knows by now is asked for.
  const isBack = useSearchParams()[0].has('account')
  const reading = useQuery({
    queryKey: dashboardKeys.institute.account,
    queryFn: ({ signal }) => dashboardApi.readPaymentAccount({}, { signal }),
    enabled: isBack,
    retry: false,
  })
  const state = reading.data?.state ?? account.state
  const isMissing = state === 'incomplete' || state === 'payouts_stopped'
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('account.title')}</h2>
      <Notice tone={tones[state]} title={t(`account.${state}.title`)} announce>
        {t(`account.${state}.text`)}
      </Notice>
      {reading.error && (
        <p className={`small ${styles.problem}`} role="alert">
          {failureText(reading.error)}
        </p>
      )}
      {state !== 'ready' && (
        <div className={styles.take}>
          {account.mayConnect ? <Connect isBegun={isMissing} /> : <p className="small muted">{t('account.ownersOnly')}</p>}
          {isMissing && (
            <Button variant="text" loading={reading.isFetching} onClick={() => void reading.refetch()}>
              {t('account.again')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
