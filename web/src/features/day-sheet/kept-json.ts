// Small things of one person that outlast the page: an entry each in a cache of the browser, which other tabs see at once.

/** Private windows and old browsers keep them for as long as the page is open. */
const memory = new Map<string, Map<string, unknown>>()

function inMemory(name: string): Map<string, unknown> {
  const entries = memory.get(name) ?? new Map<string, unknown>()
  memory.set(name, entries)
  return entries
}

const hasCaches = (): boolean => 'caches' in globalThis
const addressOf = (key: string): string => `/kept/${key}`

export async function readKept(name: string, key: string): Promise<unknown> {
  if (!hasCaches()) return inMemory(name).get(key)
  const found = await (await caches.open(name)).match(addressOf(key))
  return found?.json()
}

/** Entries whose key begins so. */
export async function listKept(name: string, beginning: string): Promise<unknown[]> {
  if (!hasCaches()) return [...inMemory(name)].flatMap(([key, value]) => (key.startsWith(beginning) ? [value] : []))
  const cache = await caches.open(name)
  const keys = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(addressOf(beginning)))
  const found = await Promise.all(keys.map((key) => cache.match(key)))
  return Promise.all(found.flatMap((answer) => (answer ? [answer.json()] : [])))
}

export async function keep(name: string, key: string, value: unknown): Promise<void> {
  if (!hasCaches()) return void inMemory(name).set(key, value)
  await (await caches.open(name)).put(addressOf(key), Response.json(value))
}

export async function forget(name: string, key: string): Promise<void> {
  if (!hasCaches()) return void inMemory(name).delete(key)
  await (await caches.open(name)).delete(addressOf(key))
}
