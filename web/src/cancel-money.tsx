// What becomes of the money of a visit that the institute cancels, said before the click.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'

export type Cancellation = Answer<Calls['visitCancellation']>

/** As the server reckons it now; nothing where it cannot be asked. */
export const cancellationOf = (id: string): Promise<Cancellation | null> =>
  dashboardApi.visitCancellation({ params: { id } }).catch(() => null)

export function CancelMoney({ refunded, atBank, atSalon, sessions }: Cancellation) {
  const { t } = useTranslation('diary')
  const money = useMoney()
  return (
    <>
      {refunded.amount > 0 && <p className="strong">{t('letGo.back', { amount: money(refunded, true) })}</p>}
      {atBank && <p className="strong">{t('letGo.atBank', { amount: money(atBank, true) })}</p>}
      {atSalon && <p className="strong">{t('letGo.atSalon', { amount: money(atSalon, true) })}</p>}
      {sessions > 0 && <p className="strong">{t('letGo.sessions', { count: sessions })}</p>}
    </>
  )
}
