// A password input whose text can be shown; autoComplete says whether it is an old or a new one.
import { useState } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './field.module.css'

export type PasswordFieldProps = Omit<FieldProps, 'type' | 'end'> & { showLabel: string; hideLabel: string }

export function PasswordField({ showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      type={shown ? 'text' : 'password'}
      end={
        <span className={styles.inside}>
          <IconButton icon={shown ? 'eye-off' : 'eye'} label={shown ? hideLabel : showLabel} onClick={() => setShown(!shown)} />
        </span>
      }
    />
  )
}
