// What opens beside a page where there is room, and over it where there is not.
import { useEffect, useRef, type ReactNode } from 'react'
import type { FrameParts } from '#/diary-changes.ts'
import { KitInDialog } from '#/kit/provider.tsx'
import { useKnownHeight } from '#/ui/bottom-bar.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import styles from './diary.module.css'

export type DrawerProps = FrameParts & {
  isBeside: boolean
  closeLabel: string
  onClose: () => void
}

function Beside({ labelledBy, onClose, children }: { labelledBy: string; onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    const before = document.activeElement
    const element = panel.current
    const wanted = element?.querySelector<HTMLElement>('[data-autofocus]') ?? element
    wanted?.focus({ preventScroll: true })
    return () => {
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body
      if (isInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <div ref={panel} tabIndex={-1} role="dialog" aria-labelledby={labelledBy} className={styles.beside}>
      {children}
    </div>
  )
}

/** At the bottom of the window, where toasts would come to lie. */
function Foot({ children }: { children: ReactNode }) {
  return (
    <footer ref={useKnownHeight()} className={styles.drawerFoot}>
      {children}
    </footer>
  )
}

export function Drawer({ labelledBy, isBeside, closeLabel, head, foot, children, onClose }: DrawerProps) {
  const content = (
    <>
      <header className={styles.drawerHead}>
        {head}
        <IconButton icon="close" label={closeLabel} onClick={onClose} />
      </header>
      <div className={styles.drawerBody}>{children}</div>
      {foot && <Foot>{foot}</Foot>}
    </>
  )
  if (isBeside) {
    return (
      <Beside labelledBy={labelledBy} onClose={onClose}>
        {content}
      </Beside>
    )
  }
  return (
    <Modal open onClose={onClose} labelledBy={labelledBy} placement="drawer" className={styles.over}>
      <KitInDialog>{content}</KitInDialog>
    </Modal>
  )
}
