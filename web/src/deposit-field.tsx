// What is asked for beforehand: nothing, an amount or a part of the price, with what that comes to for one service.
import { currencySign, useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Field } from '#/ui/field.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { depositFor, depositRuleOf, type TypedDeposit } from './deposit.ts'
import styles from './deposit-field.module.css'

export type DepositFieldProps = {
  currency: string
  /** What it is, where it is no deposit. */
  label?: string
  value: TypedDeposit
  onChange: (value: TypedDeposit) => void
  /** Why the server refused it. */
  error?: string | undefined
}

export function DepositField({ currency, label, value, onChange, error }: DepositFieldProps) {
  const { t, i18n } = useTranslation('dashboard')
  const isFixed = value.kind === 'fixed'
  const isWrong = depositRuleOf(value, currency) === null
  return (
    <div className={styles.deposit}>
      <Segmented
        label={label ?? t('deposit.title')}
        options={(['none', 'fixed', 'percent'] as const).map((kind) => ({ value: kind, label: t(`deposit.${kind}`) }))}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
      />
      {value.kind !== 'none' && (
        <Field
          key={value.kind}
          label={[...(label === undefined ? [] : [label]), t(isFixed ? 'deposit.amount' : 'deposit.share')].join(': ')}
          labelHidden
          inputMode="decimal"
          maxLength={10}
          dir="ltr"
          frameClassName={styles.amount}
          end={<span className="muted">{isFixed ? currencySign(currency, i18n.language) : '%'}</span>}
          value={isFixed ? value.amount : value.percent}
          onChange={({ target }) => onChange({ ...value, [isFixed ? 'amount' : 'percent']: target.value })}
          error={isWrong ? t('deposit.wrong') : error}
        />
      )}
    </div>
  )
}

export type DepositExampleProps = {
  currency: string
  deposit: TypedDeposit
  /** The service a deposit is felt at most; null where there is none with a price. */
  service: { name: string; price: number } | null
}

/** What a client will read, for one service. */
export function DepositExample({ currency, deposit, service }: DepositExampleProps) {
  const { t } = useTranslation('dashboard')
  const money = useMoney()
  if (!service) return null
  const rule = depositRuleOf(deposit, currency)
  const now = rule && depositFor(rule, service.price)
  const shown = (amount: number) => money({ amount, currency }, true)
  return (
    <>
      <p className={styles.example}>
        <bdi className="strong">{service.name}</bdi> <bdi>{shown(service.price)}</bdi>
      </p>
      {now !== null && now > 0 && (
        <p className={styles.sentence}>
          {now < service.price
            ? t('deposit.split', { now: shown(now), later: shown(service.price - now) })
            : t('deposit.whole', { now: shown(now) })}
        </p>
      )}
      {now === 0 && <p className={styles.sentence}>{t('deposit.nothing', { later: shown(service.price) })}</p>}
    </>
  )
}
