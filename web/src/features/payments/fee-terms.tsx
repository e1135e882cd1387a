// What cancelling late, or not coming, is going to cost: the sums that will be moved, beside what is paid now.
import type { Hold } from '@soigne/contract/appointments'
import type { HoldPayment } from '@soigne/contract/payments'
import { minuteMs } from '@soigne/contract/time'
import { useState } from 'react'
import { useMoney } from '#/platform/money.ts'
import { instantText, parseInstant } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { Split } from './split.ts'
import { useWhen } from './use-when.ts'
import styles from './payments.module.css'

export type FeeTermsProps = { plan: HoldPayment; split: Split; hold: Pick<Hold, 'terms' | 'institute'> }

/** The end of the free time with the grace after it, while that is ahead. */
function useFreeUntil({ plan, hold }: FeeTermsProps): string | null {
  const [now] = useState(Date.now)
  const { freeUntil } = hold.terms
  if (freeUntil === null) return null
  const until = parseInstant(freeUntil) + plan.fees.graceMinutes * minuteMs
  return until > now ? instantText(until) : null
}

export function FeeTerms(props: FeeTermsProps) {
  const { plan, split, hold } = props
  const { t } = useTranslation('fees')
  const money = useMoney()
  const whenOf = useWhen()
  const until = useFreeUntil(props)
  const shown = (amount: number) => money({ amount, currency: plan.total.currency }, true)
  const { lateCancel, noShow } = plan.fees
  const when = until === null ? '' : whenOf(until, hold.institute.timeZone)
  /** What is charged besides; where all is paid, what of it is kept. */
  function late(): string | null {
    if (lateCancel.amount === 0) return null
    const more = lateCancel.amount - split.now
    if (more <= 0) return split.later > 0 ? null : t(until ? 'lateKept' : 'lateKeptNow', { when, amount: shown(lateCancel.amount) })
    if (split.now > 0) return t(until ? 'lateMore' : 'lateMoreNow', { when, amount: shown(more) })
    return t(until ? 'late' : 'lateNow', { when, amount: shown(more) })
  }
  function missed(): string | null {
    const more = noShow.amount - split.now
    return more <= 0 ? null : t(split.now > 0 ? 'missedMore' : 'missed', { amount: shown(more) })
  }
  const sentences = [split.keepsCard ? t('kept') : null, late(), missed()].filter((one) => one !== null)
  if (sentences.length === 0) return null
  return (
    <div className={styles.fees}>
      <Icon name="lock" size={22} />
      <div>
        {sentences.map((sentence, at) => (
          <p key={sentence} className={at === 0 ? 'strong' : undefined}>
            {sentence}
          </p>
        ))}
      </div>
    </div>
  )
}
