// A labelled text input; every input attribute (name, type, autoComplete, defaultValue, ref …) passes through.
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, useControlIds, type FieldFrameProps } from './field-frame.tsx'
import styles from './field.module.css'

export type FieldProps = ComponentProps<'input'> &
  FieldFrameProps & {
    /** An icon or unit inside the box, before and after the text. */
    start?: ReactNode
    end?: ReactNode
  }

export function Field(props: FieldProps) {
  const { label, hint, error, labelEnd, labelHidden, frameClassName, start, end, className, id, ...input } = props
  const control = useControlIds(id, hint, error)
  return (
    <FieldFrame {...{ label, hint, error, labelEnd, labelHidden, frameClassName }} controlId={control.id}>
      <div className={classNames(styles.box, error ? styles.invalid : undefined, className)}>
        {start && <span className={styles.adornment}>{start}</span>}
        <input {...input} {...control} className={styles.input} />
        {end}
      </div>
    </FieldFrame>
  )
}
