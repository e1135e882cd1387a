// A discount on the services: a part of their price, or an amount.
import { AmountField } from '#/amount-field.tsx'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import type { TillProps } from './use-till.ts'
import styles from './till.module.css'

function Value({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const { discount, setDiscount } = till
  if (!discount) return null
  if (discount.kind === 'amount')
    return (
      <AmountField
        label={t('discount.amount')}
        currency={data.currency}
        value={discount.value}
        onChange={(value) => setDiscount({ ...discount, value })}
      />
    )
  return (
    <Field
      label={t('discount.percent')}
      inputMode="numeric"
      dir="ltr"
      maxLength={3}
      end={<bdi className="muted">%</bdi>}
      value={discount.value === null ? '' : String(discount.value)}
      onChange={({ target }) => setDiscount({ ...discount, value: /^\d{1,3}$/.test(target.value) ? Number(target.value) : null })}
    />
  )
}

export function DiscountPart({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const { discount, setDiscount } = till
  if (!discount) return null
  return (
    <section className={styles.part} aria-label={t('discount.title')}>
      <div className={styles.partHead}>
        <span className={styles.mark}>
          <span aria-hidden="true">%</span>
        </span>
        <div className={styles.lineText}>
          <h2 className="label-heading">{t('discount.title')}</h2>
          <span className="small muted">{t('discount.text')}</span>
        </div>
        <bdi className={`strong tabular ${styles.off}`}>{money({ amount: -till.sums.discount, currency: data.currency }, true)}</bdi>
        <IconButton icon="close" label={t('discount.remove')} onClick={() => setDiscount(null)} />
      </div>
      <div className={styles.fields}>
        <Segmented
          label={t('discount.kind')}
          value={discount.kind}
          options={(['percent', 'amount'] as const).map((value) => ({ value, label: t(`discount.${value}`) }))}
          onChange={(kind) => setDiscount({ ...discount, kind, value: null })}
          className={styles.kind}
        />
        <Value till={till} data={data} />
        <Field
          label={t('discount.reason')}
          labelEnd={t('optional')}
          maxLength={80}
          value={discount.reason}
          onChange={({ target }) => setDiscount({ ...discount, reason: target.value })}
        />
      </div>
    </section>
  )
}
