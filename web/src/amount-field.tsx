// A field for an amount of a currency: what is typed counts at once, and stays as it was typed.
import { useState } from 'react'
import { currencySign } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Field, type FieldProps } from '#/ui/field.tsx'
import { amountOf, typedAmount } from './amounts.ts'

export type AmountFieldProps = Omit<FieldProps, 'value' | 'onChange' | 'type' | 'start'> & {
  currency: string
  /** Minor units; null while nothing that is an amount is written. */
  value: number | null
  onChange: (amount: number | null) => void
}

export function AmountField({ currency, value, onChange, ...field }: AmountFieldProps) {
  const { i18n } = useTranslation()
  const [typed, setTyped] = useState(() => typedAmount(value, currency))
  // Changed from elsewhere, such as by a slider: what was typed means something else now.
  const shown = amountOf(typed, currency) === value ? typed : typedAmount(value, currency)
  return (
    <Field
      {...field}
      inputMode="decimal"
      autoComplete="off"
      maxLength={14}
      dir="ltr"
      start={<bdi className="muted">{currencySign(currency, i18n.language)}</bdi>}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(amountOf(target.value, currency))
      }}
    />
  )
}
