// The alert that is open, and those that wait behind it: any code can ask for one.
import { createStore } from './store.ts'

export type AlertType = 'success' | 'error' | 'warning' | 'info' | 'loading'

export type AlertInput = {
  type: AlertType
  title: string
  message: string
  okLabel?: string | undefined
  /** Where Ok leads. */
  redirectTo?: string | undefined
}

export type Alert = AlertInput & { id: number }

let lastId = 0

export const alertStore = createStore<readonly Alert[]>([])

/** Opens an alert, after those already waiting, and answers its id. */
export function showAlert(input: AlertInput): number {
  lastId += 1
  alertStore.set([...alertStore.get(), { ...input, id: lastId }])
  return lastId
}

export function closeAlert(id: number): void {
  alertStore.set(alertStore.get().filter((alert) => alert.id !== id))
}
