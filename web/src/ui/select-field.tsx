// The system's own select, drawn like the other fields.
import type { ComponentProps } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import { FieldFrame, useControlIds, type FieldFrameProps } from './field-frame.tsx'
import styles from './field.module.css'

export type SelectOption = { value: string; label: string; disabled?: boolean }

export type SelectFieldProps = ComponentProps<'select'> &
  FieldFrameProps & { options: readonly SelectOption[]; /** Shown first, with an empty value. */ placeholder?: string }

export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, labelEnd, labelHidden, frameClassName, options, placeholder, className, id, ...select } = props
  const control = useControlIds(id, hint, error)
  return (
    <FieldFrame {...{ label, hint, error, labelEnd, labelHidden, frameClassName }} controlId={control.id}>
      <div className={classNames(styles.box, styles.selectBox, error ? styles.invalid : undefined, className)}>
        <select {...select} {...control} className={classNames(styles.input, styles.select)}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={18} className={styles.chevron} />
      </div>
    </FieldFrame>
  )
}
