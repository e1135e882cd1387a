// What is charged whoever cancels late or does not come, with what that comes to for one service.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { depositFor, depositRuleOf, type TypedDeposit } from '#/deposit.ts'
import { DepositField } from '#/deposit-field.tsx'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { NumberChoice } from '#/features/institute-settings/setting-parts.tsx'
import styles from '#/features/institute-settings/institute-settings.module.css'

export type FeeRules = NonNullable<InstituteSettings['payments']['fees']>
export const noFees: FeeRules = { lateCancel: { kind: 'none' }, noShow: { kind: 'none' }, graceMinutes: 15 }

const graces = [0, 10, 15, 30]

type TypedRule = { value: TypedDeposit; onChange: (value: TypedDeposit) => void; error?: string | undefined }
export type FeesSectionProps = {
  currency: string
  late: TypedRule
  missed: TypedRule
  graceMinutes: number
  onGrace: (minutes: number) => void
  /** There are fees, and no way to charge them. */
  needsCard: boolean
  /** The service they are felt at most; null where there is none with a price. */
  service: { name: string; price: number } | null
}

/** What a client will read, for one service. */
function Example({ currency, late, missed, service }: FeesSectionProps) {
  const { t } = useTranslation('institute-settings')
  const money = useMoney()
  if (!service) return null
  const amountOf = ({ value }: TypedRule): number => {
    const rule = depositRuleOf(value, currency)
    return rule ? depositFor(rule, service.price) : 0
  }
  const shown = (amount: number) => money({ amount, currency }, true)
  const [whenLate, whenMissed] = [amountOf(late), amountOf(missed)]
  return (
    <aside className={styles.exampleCard} aria-label={t('fees.title')}>
      <p>
        <bdi className="strong">{service.name}</bdi> <bdi>{shown(service.price)}</bdi>
      </p>
      {whenLate > 0 && <p>{t('fees.exampleLate', { amount: shown(whenLate) })}</p>}
      {whenMissed > 0 && <p>{t('fees.exampleMissed', { amount: shown(whenMissed) })}</p>}
      {whenLate + whenMissed === 0 && <p>{t('fees.exampleNone')}</p>}
    </aside>
  )
}

export function FeesSection(props: FeesSectionProps) {
  const { currency, late, missed, graceMinutes, onGrace, needsCard } = props
  const { t } = useTranslation('institute-settings')
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('fees.title')}</h2>
      <p className="small muted">{t('fees.text')}</p>
      <h3 className="label-heading">{t('fees.late')}</h3>
      <DepositField currency={currency} label={t('fees.late')} {...late} />
      <h3 className="label-heading">{t('fees.missed')}</h3>
      <DepositField currency={currency} label={t('fees.missed')} {...missed} />
      {needsCard && (
        <p className={`small ${styles.problem}`} role="alert">
          {t('fees.card')}
        </p>
      )}
      <NumberChoice
        title={t('fees.grace')}
        hint={t('fees.graceHint')}
        values={graces}
        value={graceMinutes}
        labelOf={(minutes) => t('fees.minutes', { minutes: minutes ?? 0 })}
        onChange={(minutes) => onGrace(minutes ?? 0)}
      />
      <Example {...props} />
    </section>
  )
}
