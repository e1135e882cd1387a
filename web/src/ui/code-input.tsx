// Six digits from a mail: one real input, drawn as six cells, so that paste, autofill and readers just work.
import { useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldError } from './field-frame.tsx'
import styles from './code-input.module.css'

const length = 6

/** Digits only, at most six; also from "482 913" or Arabic-Indic digits. */
export function cleanCode(text: string): string {
  const latin = text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
  return latin.replace(/\D/g, '').slice(0, length)
}

export function isFullCode(code: string): boolean {
  return code.length === length
}

export type CodeInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  /** Read, not shown. */
  label: string
  value: string
  onChange: (code: string) => void
  error?: ReactNode
}

export function CodeInput({ label, value, onChange, error, className, ...input }: CodeInputProps) {
  const id = useId()
  const next = Math.min(value.length, length - 1)
  return (
    <div className={className}>
      <div className={classNames(styles.frame, error ? styles.invalid : undefined)}>
        <input
          {...input}
          className={styles.input}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={length}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          value={value}
          onPaste={(event) => {
            event.preventDefault()
            onChange(cleanCode(event.clipboardData.getData('text')))
          }}
          onChange={(event) => onChange(cleanCode(event.target.value))}
        />
        <div className={styles.cells} aria-hidden="true">
          {Array.from({ length }, (_, index) => (
            <span key={index} className={classNames(styles.cell, index === next && styles.next)}>
              {value[index]}
            </span>
          ))}
        </div>
      </div>
      <div role="status" className={styles.error}>
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
    </div>
  )
}
