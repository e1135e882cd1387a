// The toasts on screen: one store for the whole page, so that any code can say what happened.
import { createStore } from './store.ts'

export type ToastType = 'success' | 'error' | 'warning' | 'info' | 'loading'

export type ToastInput = {
  type: ToastType
  title: string
  line?: string | undefined
  /** Default 5000. A loading toast stays until it is dismissed or updated. */
  durationMs?: number | undefined
  /** One thing that can be done about it, such as taking it back; the toast goes with it. */
  action?: { label: string; onAction: () => void } | undefined
}

export type Toast = ToastInput & {
  id: string
  /** Undefined: it stays. */
  durationMs: number | undefined
  /** Grows with each update, so that the time starts anew. */
  version: number
}

const defaultDurationMs = 5000
let lastId = 0

export const toastStore = createStore<readonly Toast[]>([])

function withDuration(input: ToastInput): Omit<Toast, 'id' | 'version'> {
  const durationMs = input.type === 'loading' ? input.durationMs : (input.durationMs ?? defaultDurationMs)
  return { ...input, durationMs }
}

/** Shows a toast under the earlier ones and answers its id. One that is on screen already is not said twice: its time starts anew. */
export function showToast(input: ToastInput): string {
  const shown = toastStore.get().find(({ type, title, line }) => type === input.type && title === input.title && line === input.line)
  if (shown && input.type !== 'loading') return updateToast(shown.id, input)
  lastId += 1
  const toast: Toast = { ...withDuration(input), id: `toast-${lastId}`, version: 0 }
  toastStore.set([...toastStore.get(), toast])
  return toast.id
}

/** Turns a toast that is still shown into another, such as loading into success; else shows it anew. */
export function updateToast(id: string, input: ToastInput): string {
  if (!toastStore.get().some((toast) => toast.id === id)) return showToast(input)
  toastStore.set(toastStore.get().map((toast) => (toast.id === id ? { ...withDuration(input), id, version: toast.version + 1 } : toast)))
  return id
}

export function dismissToast(id: string): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
}

export function dismissAllToasts(): void {
  toastStore.set([])
}
