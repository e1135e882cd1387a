// What a service costs, and what it will cost from a day on.
import type { Menu } from '@soigne/contract/services'
import { useState } from 'react'
import { useController, useFieldArray, useWatch } from 'react-hook-form'
import { depositRuleOf, typedDeposit, type TypedDeposit } from '#/deposit.ts'
import { DepositField } from '#/deposit-field.tsx'
import { DateField } from '#/kit/date-field.tsx'
import { useKitField } from '#/kit/form.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { currencyDigits } from '#/platform/money.ts'
import { addDays } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import type { ServiceForm } from './service-form.tsx'
import styles from './editor.module.css'

type AmountName = 'priceAmount' | `laterPrices.${number}.priceAmount` | `performers.${number}.priceAmount`

/** An amount of the institute's currency, typed in whole units. */
export function AmountField({ form, name, label, currency }: { form: ServiceForm; name: AmountName; label: string; currency: string }) {
  const { value, onChange, ...field } = useKitField(form.control, name)
  const unit = 10 ** currencyDigits(currency)
  return (
    <NumberField
      {...field}
      label={label}
      least={0}
      format={{ style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits: 0 }}
      value={value == null ? null : value / unit}
      onChange={(typed) => onChange(typed === null ? null : Math.round(typed * unit))}
    />
  )
}

function LaterPrice({ form, menu, at, onRemove }: { form: ServiceForm; menu: Menu; at: number; onRemove: () => void }) {
  const { t } = useTranslation('services')
  const field = useKitField(form.control, `laterPrices.${at}.fromDay`)
  return (
    <div className={styles.laterPrice}>
      <DateField
        {...field}
        label={t('form.laterDay')}
        earliest={addDays(menu.today, 1)}
        value={field.value || null}
        onChange={(day) => field.onChange(day ?? '')}
      />
      <AmountField form={form} name={`laterPrices.${at}.priceAmount`} label={t('form.laterPrice')} currency={menu.currency} />
      <IconButton icon="close" label={t('form.laterRemove')} onClick={onRemove} className={styles.remove} />
    </div>
  )
}

/** What it asks for beforehand in place of the institute's rule. What was typed and is no rule yet is refused with the rest of the form. */
function OwnDeposit({ form, currency }: { form: ServiceForm; currency: string }) {
  const { t } = useTranslation('services')
  const { field, fieldState } = useController({ control: form.control, name: 'deposit' })
  const rule = field.value ?? null
  const [typed, setTyped] = useState<TypedDeposit>(() => typedDeposit(rule ?? { kind: 'none' }, currency))
  function change(next: TypedDeposit) {
    setTyped(next)
    const { kind } = next
    const wrong = kind === 'fixed' ? { kind, amount: 0 } : { kind: 'percent' as const, percent: 0 }
    field.onChange(depositRuleOf(next, currency) ?? wrong)
  }
  return (
    <>
      <div>
        <Switch
          label={t('form.deposit')}
          checked={rule !== null}
          onChange={({ target }) => (target.checked ? change(typed) : field.onChange(null))}
        />
        <p className="small muted">{t('form.depositText')}</p>
      </div>
      {rule !== null && (
        <DepositField currency={currency} label={t('form.deposit')} value={typed} onChange={change} error={fieldState.error?.message} />
      )}
    </>
  )
}

export function PricePart({ form, menu }: { form: ServiceForm; menu: Menu }) {
  const { t } = useTranslation('services')
  const kind = useController({ control: form.control, name: 'priceKind' }).field
  const amount = useWatch({ control: form.control, name: 'priceAmount' })
  const later = useFieldArray({ control: form.control, name: 'laterPrices' })
  const isAsked = kind.value === 'on_request'
  function setKind(next: 'fixed' | 'from' | 'on_request') {
    kind.onChange(next)
    if (next === 'on_request') later.replace([])
  }
  return (
    <section className={styles.part1}>
      <div className={styles.pair}>
        {isAsked ? (
          <p className={`small muted ${styles.asked}`}>{t('form.onRequestText')}</p>
        ) : (
          <AmountField form={form} name="priceAmount" label={t('form.price')} currency={menu.currency} />
        )}
        <div>
          <p className={styles.label}>{t('form.shownAs')}</p>
          <Segmented
            label={t('form.shownAs')}
            className={styles.kinds}
            value={kind.value ?? 'fixed'}
            onChange={setKind}
            options={(['fixed', 'from', 'on_request'] as const).map((value) => ({ value, label: t(`form.kinds.${value}`) }))}
          />
        </div>
      </div>
      {later.fields.map((field, at) => (
        <LaterPrice key={field.id} form={form} menu={menu} at={at} onRemove={() => later.remove(at)} />
      ))}
      {later.fields.length > 0 && <p className="small muted">{t('form.laterText')}</p>}
      {!isAsked && later.fields.length < 6 && (
        <Button
          variant="text"
          size="small"
          icon="plus"
          className={styles.addLine}
          onClick={() => later.append({ fromDay: '', priceKind: kind.value === 'from' ? 'from' : 'fixed', priceAmount: amount ?? 0 })}
        >
          {t('form.later')}
        </Button>
      )}
      {!isAsked && <OwnDeposit form={form} currency={menu.currency} />}
    </section>
  )
}
