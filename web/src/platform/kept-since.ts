// While there is no connection: since when what the worker answers from memory is known.
import { createStore, useStore } from '#/ui/store.ts'

const keptSinceStore = createStore<string | null>(null)

function hear({ data }: MessageEvent<unknown>): void {
  if (typeof data !== 'object' || data === null || !('keptAt' in data)) return
  const { keptAt } = data
  const since = keptSinceStore.get()
  if (keptAt === null) keptSinceStore.set(null)
  else if (typeof keptAt === 'string' && (since === null || keptAt < since)) keptSinceStore.set(keptAt)
}
// From the start: an answer may come before whatever shows it.
if (typeof navigator !== 'undefined' && 'serviceWorker' in navigator) {
  navigator.serviceWorker.addEventListener('message', hear)
  addEventListener('online', () => keptSinceStore.set(null))
}

/** When the oldest answer shown was given; null while answers come from the server. */
export const useKeptSince = (): string | null => useStore(keptSinceStore)
