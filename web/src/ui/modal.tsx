// The native modal dialog under every dialog of ours: the browser keeps focus inside and the page inert;
// we lock the scroll, give focus back, and treat Escape and the backdrop alike.
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { classNames } from './class-names.ts'
import { useScrollLock } from './scroll-lock.ts'
import styles from './dialog.module.css'

export type ModalProps = {
  open: boolean
  /** Escape, the backdrop, or a close button of the content. */
  onClose: () => void
  /** Ids of the heading and the text inside; or a label. */
  labelledBy?: string | undefined
  describedBy?: string | undefined
  label?: string | undefined
  role?: 'dialog' | 'alertdialog'
  /** centre: a card; sheet: a card that rises from the bottom on a phone; drawer: full height at the end; full: the whole window. */
  placement?: 'centre' | 'sheet' | 'drawer' | 'full'
  className?: string | undefined
  /** Drawn between the scrim and the panel. */
  behind?: ReactNode
  children: ReactNode
}

function returnFocus(element: Element | null) {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
}

function OpenModal(props: ModalProps) {
  const { onClose, labelledBy, describedBy, label, role, placement = 'centre', className, behind, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useScrollLock(true)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    if (!element.open) element.showModal()
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      element.close()
      returnFocus(before)
    }
  }, [])
  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    if (event.target === event.currentTarget) onClose()
  }
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-label={label}
      className={classNames(styles.dialog, styles[placement])}
      onCancel={cancel}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {behind}
      <div className={classNames(styles.panel, className)}>{children}</div>
    </dialog>
  )
}

/** Nothing is in the document while it is closed. */
export function Modal(props: ModalProps) {
  return props.open ? <OpenModal {...props} /> : null
}
