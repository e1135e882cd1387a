// What every labelled control shares: label above, hint below, and an error that says how to mend it.
import { useId, type ReactNode } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import styles from './field.module.css'

export type FieldFrameProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** At the end of the label's line: "Forgotten?", "Optional". */
  labelEnd?: ReactNode
  /** The label is read but not shown. */
  labelHidden?: boolean | undefined
  frameClassName?: string | undefined
}

export type ControlIds = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export function useControlIds(id: string | undefined, hint: ReactNode, error: ReactNode): ControlIds {
  const own = useId()
  const base = id ?? own
  const described = [hint && `${base}-hint`, error && `${base}-error`].filter(Boolean).join(' ')
  return { id: base, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined }
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <Icon name="error" size={18} />
      <span>{children}</span>
    </p>
  )
}

type FrameProps = FieldFrameProps & { controlId: string; children: ReactNode }

export function FieldFrame(props: FrameProps) {
  const { label, hint, error, labelEnd, labelHidden, frameClassName, controlId, children } = props
  return (
    <div className={classNames(styles.field, frameClassName)}>
      <div className={classNames(styles.labelLine, labelHidden && !labelEnd && 'visually-hidden')}>
        <label className={classNames(styles.label, labelHidden && 'visually-hidden')} htmlFor={controlId}>
          {label}
        </label>
        {labelEnd && <span className={styles.labelEnd}>{labelEnd}</span>}
      </div>
      {children}
      {hint && (
        <p className={styles.hint} id={`${controlId}-hint`}>
          {hint}
        </p>
      )}
      <div role="status" className={styles.errorPlace}>
        {error && <FieldError id={`${controlId}-error`}>{error}</FieldError>}
      </div>
    </div>
  )
}
