// On the screen of what was just booked: what was paid, and what is left for the salon.
import type { Appointment } from '@soigne/contract/appointments'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useVisitPayments } from './use-visit-payments.ts'

export type PaidLinesProps = { appointment: Appointment; className: string | undefined }

export function PaidLines({ appointment, className }: PaidLinesProps) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const { data } = useVisitPayments(appointment._id)
  if (!data) return null
  const paid = { amount: data.total.amount - data.due.amount, currency: data.total.currency }
  return (
    <>
      <p className={className}>
        <span className="muted">{t('pay.booked.paid')}</span>
        <bdi className="strong tabular">{money(paid, true)}</bdi>
      </p>
      {data.due.amount > 0 && (
        <p className={className}>
          <span className="muted">{t('pay.booked.left')}</span>
          <bdi className="strong tabular">{money(data.due, true)}</bdi>
        </p>
      )}
    </>
  )
}
