// The worker that answers without a connection: asked for once the page is there and the browser idle, so that no first visit waits for it.

/** Long after the last file of a page, also on a slow line. */
const laterMs = 5_000

export function startWorker(): (() => void) | undefined {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined
  const timer = setTimeout(() => {
    void navigator.serviceWorker.register(`/sw.js?language=${document.documentElement.lang}`).catch(() => {})
    // A change is asked about first, and then says what it wants: a connection.
    for (const part of [import('#/ui/confirm-dialog.tsx'), import('#/ui/toast-stack.tsx')]) part.catch(() => {})
  }, laterMs)
  return () => clearTimeout(timer)
}
