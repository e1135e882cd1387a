// The language somebody chooses while signed in is kept with their account too, so that letters speak it.
import type { Locale } from '@soigne/contract/wire'
import { api } from './api.ts'
import { chooseLocale } from './locale.ts'
import { readStored, storageKeys } from './storage.ts'

/** A server that does not answer keeps nobody from their language. */
const patienceMs = 1500

export function keepLocale(locale: Locale): void {
  if (readStored(storageKeys.token) === null) return chooseLocale(locale)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), patienceMs)
  void api
    .updateProfile({ body: { locale } }, { signal: late.signal })
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(timer)
      chooseLocale(locale)
    })
}
