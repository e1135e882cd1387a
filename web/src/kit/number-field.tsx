// A number with its unit, typed or stepped.
import { Button, Group, Input, NumberField as Field, type NumberFieldProps as FieldProps } from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import { KitFieldFrame, type KitFieldProps } from './kit-field.tsx'
import styles from './kit-field.module.css'

export type NumberFieldProps = KitFieldProps & {
  value: number | null
  onChange: (value: number | null) => void
  least?: number
  most?: number
  step?: number
  /** Unit or currency, as `Intl.NumberFormat` takes it. */
  format?: NonNullable<FieldProps['formatOptions']>
}

export function NumberField({ value, onChange, least, most, step, format, label, hint, error, ...rest }: NumberFieldProps) {
  return (
    <Field
      {...rest}
      className={classNames(styles.field)}
      value={value ?? Number.NaN}
      onChange={(typed) => onChange(Number.isNaN(typed) ? null : typed)}
      {...(least !== undefined && { minValue: least })}
      {...(most !== undefined && { maxValue: most })}
      {...(step !== undefined && { step })}
      {...(format && { formatOptions: format })}
      isInvalid={error !== undefined}
    >
      <KitFieldFrame label={label} hint={hint} error={error}>
        <Group className={classNames(styles.box)}>
          <Input className={classNames(styles.input)} />
          <Button slot="decrement" className={classNames(styles.button)}>
            <Icon name="minus" size={18} />
          </Button>
          <Button slot="increment" className={classNames(styles.button)}>
            <Icon name="plus" size={18} />
          </Button>
        </Group>
      </KitFieldFrame>
    </Field>
  )
}
