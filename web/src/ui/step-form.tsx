// The frame of a step that is answered in a form; its button stands in the summary and the bottom bar.
import type { ReactNode } from 'react'
import styles from './step-form.module.css'

/** Buttons outside of the form name it by this id. */
export const stepFormId = 'booking-step'

const headingId = 'booking-step-title'

/** Puts the focus where a new step begins. */
export function focusStep(): void {
  document.getElementById(headingId)?.focus({ preventScroll: true })
}

export type StepFormProps = {
  title: string
  lede?: ReactNode
  /** The step a form sent without scripts leads to. */
  next: string
  hidden?: readonly (readonly [name: string, value: string])[]
  onContinue: () => void
  children: ReactNode
}

export function StepForm({ title, lede, next, hidden = [], onContinue, children }: StepFormProps) {
  return (
    <form
      id={stepFormId}
      method="get"
      onSubmit={(event) => {
        event.preventDefault()
        onContinue()
      }}
    >
      <StepHeading title={title} lede={lede} />
      <input type="hidden" name="step" value={next} />
      {hidden.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

export function StepHeading({ title, lede }: Pick<StepFormProps, 'title' | 'lede'>) {
  return (
    <>
      <h1 id={headingId} tabIndex={-1} className="d2">
        {title}
      </h1>
      {lede && <p className={`muted ${styles.lede}`}>{lede}</p>}
    </>
  )
}
