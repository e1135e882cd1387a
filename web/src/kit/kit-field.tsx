// What every field of the kit shares: label above, hint below, and an error that says how to mend it.
import type { ReactNode, Ref } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import styles from './kit-field.module.css'

export type KitFieldProps = {
  label: string
  hint?: ReactNode
  /** The field is wrong; why. */
  error?: string | undefined
  name?: string
  /** The whole field. */
  ref?: Ref<HTMLDivElement>
  isRequired?: boolean
  isDisabled?: boolean
  onBlur?: () => void
}

type FrameProps = Pick<KitFieldProps, 'label' | 'hint' | 'error'> & { children: ReactNode }

export function KitFieldFrame({ label, hint, error, children }: FrameProps) {
  return (
    <>
      <Label className={classNames(styles.label)}>{label}</Label>
      {children}
      {hint && (
        <Text slot="description" className={classNames(styles.hint)}>
          {hint}
        </Text>
      )}
      <div role="status" className={classNames(styles.errorPlace)}>
        <FieldError className={classNames(styles.error)}>
          {error && (
            <>
              <Icon name="error" size={18} />
              <span>{error}</span>
            </>
          )}
        </FieldError>
      </div>
    </>
  )
}
