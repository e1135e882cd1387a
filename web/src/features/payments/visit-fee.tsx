// What cancelling late or not coming costs, the card that is kept for it, and what became of a fee; one that could not be charged is paid here.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { appointmentPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useWhen } from './use-when.ts'
import styles from './payments.module.css'

type VisitPayments = Answer<Calls['appointmentPayments']>
export type VisitFeeProps = { appointment: Appointment; money: VisitPayments }

function PayFee({ id, fee }: { id: string; fee: NonNullable<VisitPayments['fee']> }) {
  const { t } = useTranslation('fees')
  const money = useMoney()
  const key = useRef<string | null>(null)
  const pay = useMutation({
    mutationFn() {
      key.current ??= crypto.randomUUID()
      return dashboardApi.payFee({ params: { id }, body: { returnTo: appointmentPath(id) }, idempotencyKey: key.current })
    },
    onSuccess: ({ payment }) => location.assign(payment.url),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled() {
      key.current = null
    },
  })
  return (
    <Button icon="lock" loading={pay.isPending || pay.isSuccess} onClick={() => pay.mutate()}>
      {t('pay', { amount: money(fee.amount, true) })}
    </Button>
  )
}

export function VisitFee({ appointment, money: { fee, feeTerms } }: VisitFeeProps) {
  const { t } = useTranslation('fees')
  const money = useMoney()
  const whenOf = useWhen()
  if (fee) {
    const when = whenOf(fee.dueAt, appointment.institute.timeZone)
    return (
      <>
        <p className={styles.line}>
          <Icon name="cash" size={26} />
          <span className={styles.what}>
            {t(`kinds.${fee.kind}`)}
            <span className="small muted">{t(`states.${fee.state}`, { when })}</span>
          </span>
          <bdi className="strong tabular">{money(fee.amount, true)}</bdi>
        </p>
        {(fee.state === 'asked' || fee.state === 'unpaid') && (
          <div className={styles.documents}>
            <PayFee id={appointment._id} fee={fee} />
          </div>
        )}
      </>
    )
  }
  if (!feeTerms || appointment.status === 'cancelled') return null
  const { lateCancel, noShow, card } = feeTerms
  return (
    <div className={styles.line}>
      <Icon name="lock" size={26} />
      <div className={styles.what}>
        <p>{t('title')}</p>
        <p className="small muted">
          {[
            ...(lateCancel.amount > 0 ? [t('agreedLate', { amount: money(lateCancel, true) })] : []),
            ...(noShow.amount > 0 ? [t('agreedMissed', { amount: money(noShow, true) })] : []),
          ].join(' ')}
        </p>
        {card && <p className="small muted">{t('card', { brand: card.brand, digits: card.lastFour })}</p>}
      </div>
    </div>
  )
}
