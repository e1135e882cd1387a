// Where somebody was going when they left for a provider of identities. Its way back tells that only to whoever was let in.
import { returnLocation } from '#/platform/return-location.ts'

const key = 'leftFrom'

export function keepOrigin(from: string | null): void {
  try {
    if (from === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, from)
  } catch {
    // They go on at the home page then.
  }
}

export function keptOrigin(): string | null {
  try {
    return returnLocation(sessionStorage.getItem(key))
  } catch {
    return null
  }
}
