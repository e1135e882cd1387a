// On the page of a visit, back from paying: what became of the payment.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { usePaymentWord } from './use-payment-word.ts'

export function PaymentReturn({ id }: { id: string }) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const queries = useQueryClient()
  const [params] = useSearchParams()
  const isBack = params.has('payment')
  const { payment, isSaid, isLong, again } = usePaymentWord(id, isBack)
  const checkout = payment?.checkout
  const isPaid = isSaid && checkout?.state === 'paid'
  useEffect(() => {
    if (!isPaid) return
    void queries.invalidateQueries({ queryKey: queryKeys.appointment(id), exact: true })
    void queries.invalidateQueries({ queryKey: paymentKeys.visit(id) })
    void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
  }, [isPaid, queries, id])
  if (!isBack || (isSaid && !checkout)) return null
  if (isPaid && checkout) return <Notice tone="success" announce title={t('pay.paidThanks', { amount: money(checkout.amount, true) })} />
  if (isSaid && checkout && checkout.state !== 'open' && checkout.state !== 'paid') {
    const isLate = checkout.state === 'refund_due'
    return (
      <Notice tone="warning" announce title={t(checkout.state === 'refund_due' ? 'pay.late.title' : `pay.ended.${checkout.state}`)}>
        {isLate ? t('pay.late.text', { amount: money(checkout.amount, true) }) : t('pay.nothingTaken')}
      </Notice>
    )
  }
  return (
    <Notice
      icon="clock"
      announce
      title={t(isLong ? 'pay.checking.long' : 'pay.checking.title')}
      action={
        isLong ? (
          <Button variant="outline" size="small" onClick={again}>
            {t('pay.checking.again')}
          </Button>
        ) : undefined
      }
    >
      {t(isLong ? 'pay.checking.longVisit' : 'pay.checking.text')}
    </Notice>
  )
}
