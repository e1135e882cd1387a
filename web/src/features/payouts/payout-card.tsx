// A payout: how much, how far it is and when it arrives; beside it what it adds up from.
import type { Payout } from '@soigne/contract/payouts'
import { useId, type ReactNode } from 'react'
import { brand } from '#/platform/brand.ts'
import { useMoney } from '#/platform/money.ts'
import { dateOnly, dayOf } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from '#/ui/class-names.ts'
import { StatusChip, type StatusChipProps } from '#/ui/status-chip.tsx'
import { linesOf } from './payout-lines.ts'
import styles from './payouts.module.css'

const looks: Record<Payout['state'], { status: StatusChipProps['status']; icon: IconName }> = {
  coming: { status: 'deposit_paid', icon: 'clock' },
  paid: { status: 'completed', icon: 'check' },
  failed: { status: 'cancelled', icon: 'close' },
  cancelled: { status: 'neutral', icon: 'block' },
}

/** Tuesday 1 December, inside a sentence. The day is the provider's and the same in every zone; this year goes without saying. */
function useBankDay(timeZone: string): (day: string) => string {
  const { i18n } = useTranslation()
  return (day) => {
    const year = day.slice(0, 4) === dayOf(Date.now(), timeZone).slice(0, 4) ? {} : ({ year: 'numeric' } as const)
    const locale = i18n.language === 'en' ? 'en-GB' : i18n.language
    return dateOnly(day, locale, { weekday: 'long', day: 'numeric', month: 'long', ...year })
  }
}

/** What is wrong, where the money is, and what to do. */
function Refused({ payout }: { payout: Payout }) {
  const { t } = useTranslation('payouts')
  return (
    <div className={styles.why}>
      <Icon name="error" size={22} />
      <div>
        <p className="strong">{t(`problems.${payout.problem ?? 'unknown'}`)}</p>
        <p className="small">{t(`putRight.${payout.provider === 'stripe' ? 'stripe' : 'provider'}`)}</p>
        {payout.amount.amount > 0 && <p className="small">{t('kept')}</p>}
      </div>
    </div>
  )
}

function Parts({ payout }: { payout: Payout }) {
  const { t } = useTranslation('payouts')
  const money = useMoney()
  const { amount, currency } = payout.amount
  if (payout.parts === null) return <p className={`small muted ${styles.unknown}`}>{t('unknownParts')}</p>
  return (
    <dl className={styles.parts} aria-label={t('parts')}>
      {linesOf(payout).map((line) => (
        <div key={line.name}>
          <dt>{t(`lines.${line.name}`, { brand })}</dt>
          <dd>
            <bdi>{money({ amount: line.amount, currency }, true)}</bdi>
          </dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{t(`total.${amount < 0 ? 'fromBank' : 'toBank'}`)}</dt>
        <dd>
          <bdi>{money(payout.amount, true)}</bdi>
        </dd>
      </div>
    </dl>
  )
}

export type PayoutCardProps = {
  payout: Payout
  timeZone: string
  /** The way to its parts. */
  children?: ReactNode
}

export function PayoutCard({ payout, timeZone, children }: PayoutCardProps) {
  const { t } = useTranslation('payouts')
  const money = useMoney()
  const bankDay = useBankDay(timeZone)
  const id = useId()
  const { amount, state } = payout
  const isTaken = amount.amount < 0
  const look = looks[state]
  return (
    <article aria-labelledby={id} className={classNames(styles.card, state === 'failed' && styles.refused)}>
      <div className={styles.facts}>
        <div className={styles.first}>
          <h2 id={id} className={`time ${styles.amount}`}>
            <bdi>{money(amount, true)}</bdi>
          </h2>
          <StatusChip {...look} className={styles.chip} label={t(`states.${isTaken && state === 'paid' ? 'taken' : state}`)} />
        </div>
        {isTaken && <p className="strong">{t(state === 'paid' ? 'fromBank' : 'toTake')}</p>}
        <p>{t(`${isTaken ? 'takenDays' : 'days'}.${state}`, { day: bankDay(payout.arrivesOn) })}</p>
        <p className={`small muted ${styles.reference}`}>{t('reference', { reference: payout.reference })}</p>
        {state === 'failed' && <Refused payout={payout} />}
        {children}
      </div>
      <Parts payout={payout} />
    </article>
  )
}
