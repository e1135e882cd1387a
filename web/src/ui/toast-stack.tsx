// Every toast of the page, newest at the bottom. Mount it once, near the end of the document.
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { useStore } from './store.ts'
import { dismissToast, toastStore, type Toast, type ToastType } from './toasts.ts'
import styles from './toast-stack.module.css'

const icons: Record<ToastType, IconName> = {
  success: 'success',
  error: 'error',
  warning: 'warning',
  info: 'info',
  loading: 'loading',
}

/** Counts down the time left, and not while the pointer or focus is on the toast. */
function useDismissal({ id, durationMs, version }: Toast, paused: boolean) {
  const left = useRef(durationMs)
  useEffect(() => {
    left.current = durationMs
  }, [durationMs, version])
  useEffect(() => {
    if (paused || left.current === undefined) return
    const startedAt = Date.now()
    const timer = setTimeout(() => dismissToast(id), left.current)
    return () => {
      clearTimeout(timer)
      if (left.current !== undefined) left.current = Math.max(0, left.current - (Date.now() - startedAt))
    }
  }, [id, paused, version, durationMs])
}

function ToastAction({ id, label, onAction }: { id: string } & NonNullable<Toast['action']>) {
  return (
    <Button
      variant="soft"
      size="small"
      onClick={() => {
        dismissToast(id)
        onAction()
      }}
    >
      {label}
    </Button>
  )
}

function ToastCard({ toast, closeLabel }: { toast: Toast; closeLabel: string }) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const paused = hovered || focused
  useDismissal(toast, paused)
  return (
    <div
      role={toast.type === 'error' ? 'alert' : 'status'}
      data-type={toast.type}
      className={classNames(styles.toast, styles[toast.type])}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className={styles.tile}>
        <Icon name={icons[toast.type]} size={21} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{toast.title}</p>
        {toast.line && <p className={styles.line}>{toast.line}</p>}
      </div>
      {toast.action && <ToastAction id={toast.id} {...toast.action} />}
      <IconButton icon="close" iconSize={18} label={closeLabel} onClick={() => dismissToast(toast.id)} />
      {toast.durationMs !== undefined && (
        <span
          key={toast.version}
          data-testid="time-left"
          className={styles.timeLeft}
          style={{ animationDuration: `${toast.durationMs}ms`, animationPlayState: paused ? 'paused' : 'running' }}
        />
      )}
    </div>
  )
}

export type ToastStackProps = { label: string; closeLabel: string }

export function ToastStack({ label, closeLabel }: ToastStackProps) {
  const toasts = useStore(toastStore)
  const stack = useRef<HTMLDivElement>(null)
  const newest = toasts.at(-1)?.id
  // In the browser's top layer, and promoted again for each toast, so that an open dialog never hides one.
  useEffect(() => {
    const element = stack.current
    if (!element || typeof element.showPopover !== 'function') return
    if (element.matches(':popover-open')) element.hidePopover()
    if (newest) element.showPopover()
  }, [newest])
  return (
    <div ref={stack} popover="manual" role="region" aria-label={label} className={styles.stack}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} closeLabel={closeLabel} />
      ))}
    </div>
  )
}
