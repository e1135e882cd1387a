// What the worker answers from memory while there is no connection, and forgetting it with the session.
import { useSyncExternalStore } from 'react'

let keptSince: string | null = null
const listeners = new Set<() => void>()
function setKeptSince(next: string | null): void {
  keptSince = next
  for (const listener of listeners) listener()
}
function hear({ data }: MessageEvent<unknown>): void {
  if (typeof data !== 'object' || data === null || !('keptAt' in data) || typeof data.keptAt !== 'string') return
  if (keptSince === null || data.keptAt < keptSince) setKeptSince(data.keptAt)
}
// From the start: an answer may come before whatever shows it.
if (typeof navigator !== 'undefined' && 'serviceWorker' in navigator) {
  navigator.serviceWorker.addEventListener('message', hear)
  addEventListener('online', () => setKeptSince(null))
}

/** When the oldest answer shown was given; null while answers come from the server. */
export function useKeptSince(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => keptSince,
    () => null,
  )
}

/** The private answers go with who they were for; the worker also drops what is on its way. */
export function forgetKeptAnswers(): void {
  if (typeof navigator === 'undefined' || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.controller?.postMessage('forget')
  if ('caches' in globalThis) void caches.delete('own-1').catch(() => {})
}
