// Pictures and documents on their way, kept in the browser until the server has them: the page may be closed meanwhile.

/** Forgotten with the session, in kept-answers.ts. */
const cacheName = 'outbox-1'
const addressOf = (clientId: string): string => `/outbox/${clientId}`
const nameHeader = 'x-file-name'

/** Browsers give no place to keep things to pages without a secure connection. */
const openCache = async (): Promise<Cache | null> => ('caches' in globalThis ? caches.open(cacheName).catch(() => null) : null)

/** A full disk keeps nothing; it is sent while the page is open. */
export async function keepFile(clientId: string, file: File): Promise<void> {
  const headers = { 'content-type': file.type, [nameHeader]: encodeURIComponent(file.name) }
  const cache = await openCache()
  await cache?.put(addressOf(clientId), new Response(file, { headers })).catch(() => {})
}

export async function keptFile(clientId: string): Promise<File | null> {
  const kept = await (await openCache())?.match(addressOf(clientId))
  if (!kept) return null
  const name = decodeURIComponent(kept.headers.get(nameHeader) ?? '')
  return new File([await kept.blob()], name, { type: kept.headers.get('content-type') ?? '' })
}

export async function forgetFile(clientId: string): Promise<void> {
  await (await openCache())?.delete(addressOf(clientId))
}
