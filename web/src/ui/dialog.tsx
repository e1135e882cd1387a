// A titled dialog with a close button and a place for its actions. It becomes a sheet on a phone.
import { useId, type ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'
import styles from './dialog.module.css'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  closeLabel: string
  description?: ReactNode
  /** Buttons at the bottom; the one solid button last. */
  actions?: ReactNode
  placement?: 'centre' | 'sheet' | 'drawer'
  wide?: boolean
  children?: ReactNode
}

export function Dialog(props: DialogProps) {
  const { open, onClose, title, closeLabel, description, actions, placement = 'sheet', wide, children } = props
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={`${id}-title`}
      describedBy={description ? `${id}-text` : undefined}
      placement={placement}
      className={wide ? styles.wide : undefined}
    >
      <header className={styles.head}>
        <h2 className="d3" id={`${id}-title`}>
          {title}
        </h2>
        <IconButton icon="close" label={closeLabel} onClick={onClose} className={styles.close} />
      </header>
      {description && (
        <p className={styles.description} id={`${id}-text`}>
          {description}
        </p>
      )}
      {children && <div className={styles.body}>{children}</div>}
      {actions && <footer className={styles.actions}>{actions}</footer>}
    </Modal>
  )
}
