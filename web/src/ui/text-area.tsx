// A labelled text of several lines.
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, useControlIds, type FieldFrameProps } from './field-frame.tsx'
import styles from './field.module.css'

export type TextAreaProps = ComponentProps<'textarea'> & FieldFrameProps

export function TextArea(props: TextAreaProps) {
  const { label, hint, error, labelEnd, labelHidden, frameClassName, className, id, rows = 4, ...area } = props
  const control = useControlIds(id, hint, error)
  return (
    <FieldFrame {...{ label, hint, error, labelEnd, labelHidden, frameClassName }} controlId={control.id}>
      <div className={classNames(styles.box, styles.area, error ? styles.invalid : undefined, className)}>
        <textarea {...area} {...control} rows={rows} className={classNames(styles.input, styles.textarea)} />
      </div>
    </FieldFrame>
  )
}
