// The native modal dialog under every dialog of ours: the browser keeps focus inside and the page inert;
// we lock the scroll, give focus back, and treat Escape and the backdrop alike.
import { useEffect, useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useScrollLock } from './scroll-lock.ts'
import styles from './modal.module.css'

export type ModalProps = {
  open: boolean
  /** Escape, the backdrop, or a close button of the content. */
  onClose: () => void
  /** Keys pressed anywhere inside. */
  onKeyDown?: (event: KeyboardEvent) => void
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

type Handlers = Pick<ModalProps, 'onClose' | 'onKeyDown'>

/** Opens the dialog in the browser's top layer and listens to what happens to the dialog itself. */
function useModalDialog(handlers: Handlers) {
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    const listening = new AbortController()
    const { signal } = listening
    // React decides when it closes: the browser's own closing would leave the two apart.
    function cancel(event: Event) {
      event.preventDefault()
      if (event.target === element) latest.current.onClose()
    }
    function press(event: MouseEvent) {
      if (event.target === element) latest.current.onClose()
    }
    element.addEventListener('cancel', cancel, { signal })
    element.addEventListener('mousedown', press, { signal })
    element.addEventListener('keydown', (event) => latest.current.onKeyDown?.(event), { signal })
    if (!element.open) element.showModal()
    element.querySelector<HTMLElement>('[data-autofocus], [data-panel]:not(:has([data-autofocus]))')?.focus()
    return () => {
      listening.abort()
      element.close()
      returnFocus(before)
    }
  }, [])
  return dialog
}

function OpenModal(props: ModalProps) {
  const { labelledBy, describedBy, label, role, placement = 'centre', className, behind, children } = props
  const dialog = useModalDialog(props)
  useScrollLock(true)
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-label={label}
      className={classNames(styles.dialog, styles[placement])}
    >
      {behind}
      <div data-panel tabIndex={-1} className={classNames(styles.panel, className)}>
        {children}
      </div>
    </dialog>
  )
}

/** Nothing is in the document while it is closed. */
export function Modal(props: ModalProps) {
  return props.open ? <OpenModal {...props} /> : null
}
