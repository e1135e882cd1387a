// A real checkbox with its label beside it, and a switch for a setting that takes effect at once.
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import { FieldError, useControlIds } from './field-frame.tsx'
import styles from './checkbox.module.css'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

export function Checkbox({ label, hint, error, className, id, ...input }: CheckboxProps) {
  const control = useControlIds(id, hint, error)
  return (
    <div className={className}>
      <label className={styles.line}>
        <span className={styles.place}>
          <input type="checkbox" {...input} {...control} className={styles.box} />
          <Icon name="check" size={15} className={styles.tick} />
        </span>
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <p className={styles.hint} id={`${control.id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${control.id}-error`}>{error}</FieldError>}
    </div>
  )
}

export type SwitchProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; labelHidden?: boolean }

export function Switch({ label, labelHidden, className, ...input }: SwitchProps) {
  return (
    <label className={classNames(styles.line, className)}>
      <input type="checkbox" role="switch" aria-checked={input.checked} {...input} className={styles.switch} />
      <span className={classNames(styles.label, labelHidden && 'visually-hidden')}>{label}</span>
    </label>
  )
}
