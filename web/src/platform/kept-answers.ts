// Forgetting what the worker keeps, with the session.
/** The private answers go with who they were for; the worker also drops what is on its way. */
export function forgetKeptAnswers(): void {
  // Files on their way to a conversation, of features/chat/waiting-files.ts.
  if ('caches' in globalThis) void caches.delete('outbox-1').catch(() => {})
  if (typeof navigator === 'undefined' || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.controller?.postMessage('forget')
  if ('caches' in globalThis) void caches.delete('own-1').catch(() => {})
}
