// A payment that was begun and not ended: go on with it, or give it up and choose another way.
import type { HoldPayment } from '@soigne/contract/payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'

/** Nothing is paid: a card is kept. */
function KeptOpen() {
  const { t } = useTranslation('fees')
  return t('open')
}

export type OpenCheckoutProps = { holdId: string; checkout: NonNullable<HoldPayment['checkout']> }

export function OpenCheckout({ holdId, checkout }: OpenCheckoutProps) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const queries = useQueryClient()
  const giveUp = useMutation({
    mutationFn: () => dashboardApi.giveUpPayment({ params: { id: holdId } }),
    onSuccess: (payment) => queries.setQueryData(paymentKeys.word(holdId), payment),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  return (
    <Notice
      icon="clock"
      announce
      title={
        checkout.amount.amount === 0 ? (
          <KeptOpen />
        ) : (
          t('pay.open.title', { amount: money(checkout.amount, true), way: t(`pay.ways.${checkout.method}`) })
        )
      }
      action={
        <Button variant="outline" size="small" loading={giveUp.isPending} onClick={() => giveUp.mutate()}>
          {t('pay.open.other')}
        </Button>
      }
    >
      {t('pay.open.text')}
    </Notice>
  )
}
