// In the question before a cancellation: what the card that is kept is charged.
import type { Money } from '@soigne/contract/wire'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'

export function ChargedLine({ amount }: { amount: Money }) {
  const { t } = useTranslation('fees')
  const money = useMoney()
  return <p className="strong">{t('cancelCharged', { amount: money(amount, true) })}</p>
}
