// What the browser keeps for the product: its keys, read and written in one place, with news of every change.

export const storageKeys = {
  token: 'AuthToken',
  locale: 'locale',
  setupDraft: 'instituteSetupForm',
  skipRegistration: 'skipRegistration',
  notifications: 'sampleNotifications',
  light: 'light',
  /** Drafts and messages that the server does not have yet. */
  messages: 'unsentMessages',
} as const

export type StorageKey = (typeof storageKeys)[keyof typeof storageKeys]

const listeners = new Set<() => void>()

function tellAll(): void {
  for (const listener of listeners) listener()
}

/** Private windows and blocked storage answer as if nothing were kept. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: StorageKey, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The page goes on working for as long as it is open.
  }
  tellAll()
}

export function removeStored(...keys: readonly StorageKey[]): void {
  try {
    for (const key of keys) localStorage.removeItem(key)
  } catch {
    // Nothing was kept then.
  }
  tellAll()
}

/** What this window alone keeps: an address, a note, where somebody came from. Who watches is told with what changes next. */
export function forgetWindow(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Nothing was kept then.
  }
}

/** Calls back after every change, also one made in another tab. */
export function watchStored(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
