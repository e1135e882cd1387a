// Lets a held time go: in the background while the page lives, and with a last request when it is closed.
import { api } from '#/platform/api.ts'
import { callAddresses } from '#/contract/call-addresses.ts'
import { storedLocale } from '#/platform/locale.ts'
import { readStored, storageKeys } from '#/platform/storage.ts'

/** The release under way; the next hold waits for it, so that a person never holds more than they may. */
let releasing: Promise<unknown> = Promise.resolve()

export function afterRelease(): Promise<unknown> {
  return releasing
}

/** A hold that cannot be released runs out by itself. */
export function releaseHold(id: string): void {
  releasing = api.releaseHold({ params: { id } }).catch(() => undefined)
}

/** The only request that outlives its page. */
export function releaseHoldOnLeave(id: string): void {
  const [method, path] = callAddresses.releaseHold.split(' ') as [string, string]
  const token = readStored(storageKeys.token)
  if (!token) return
  void fetch(path.replace(':id', encodeURIComponent(id)), {
    method,
    keepalive: true,
    headers: { authorization: `Bearer ${token}`, 'accept-language': storedLocale() },
  }).catch(() => undefined)
}
