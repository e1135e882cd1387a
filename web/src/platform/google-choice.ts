// Whether the visitor wants Google's map and places. Google learns who looks where, so nothing is loaded from there
// before somebody says so; the answer is kept for half a year in a cookie of its own.
import { useSyncExternalStore } from 'react'
import { usePageSettings } from './page-settings.ts'

const listeners = new Set<() => void>()

function isChosen(): boolean {
  return /(?:^|;\s*)map=google(?:;|$)/.test(document.cookie)
}

/** Takes effect at once wherever a map is shown. */
export function chooseGoogle(wanted: boolean): void {
  document.cookie = `map=${wanted ? 'google' : 'own'}; path=/; max-age=15552000; samesite=lax`
  for (const listener of listeners) listener()
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export type GoogleChoice = {
  /** The site has a key, so there is something to choose. */
  offered: boolean
  /** The key, once the visitor has chosen. */
  key: string | null
}

export function useGoogleChoice(): GoogleChoice {
  const { googleKey } = usePageSettings().map
  const chosen = useSyncExternalStore(watch, isChosen, () => false)
  return { offered: googleKey !== null, key: chosen ? googleKey : null }
}
