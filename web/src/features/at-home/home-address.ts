// Where a visit at home is to be: kept in this window alone, never in an address of the web, and told with the hold.
import type { HomeAddressInput } from '@soigne/contract/appointments'
import type { Institute } from '@soigne/contract/institutes'
import { watchStored } from '#/platform/storage.ts'
import { createStore, useStore } from '#/ui/store.ts'

export type HomeAddressDraft = Pick<HomeAddressInput, 'line' | 'city'> & { postalCode: string; lat: number; lon: number }

const key = 'homeAddress'

/** What is kept may have been written by a release before. */
function read(): HomeAddressDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<HomeAddressDraft> | null
    const isWhole =
      typeof kept?.line === 'string' && typeof kept.postalCode === 'string' && typeof kept.city === 'string' && typeof kept.lat === 'number'
    return isWhole && typeof kept.lon === 'number' ? (kept as HomeAddressDraft) : null
  } catch {
    return null
  }
}

const store = createStore<HomeAddressDraft | null>(null)
let isRead = false
/** In the window's storage, which may be blocked. */
let isStored = false

/** The way to an account and back may load the page anew. Who signs out leaves no address to the next. */
function readOnce(): void {
  if (isRead) return
  isRead = true
  const kept = read()
  if (kept) {
    isStored = true
    store.set(kept)
  }
  watchStored(() => {
    if (isStored && read() === null) store.set(null)
  })
}

/** Reads what is kept as soon as somebody listens: on the server, and in the first picture of a page, there is none. */
const listening = {
  ...store,
  subscribe(listener: () => void) {
    const stop = store.subscribe(listener)
    readOnce()
    return stop
  },
}

export const useHomeAddress = (): HomeAddressDraft | null => useStore(listening)

export function keepHomeAddress(address: HomeAddressDraft): void {
  readOnce()
  try {
    sessionStorage.setItem(key, JSON.stringify(address))
    isStored = true
  } catch {
    // It is kept for as long as the page is open.
  }
  store.set(address)
}

type Point = { lat: number; lon: number }

/** Kilometres as the crow flies. */
export function kilometres(a: Point, b: Point): number {
  const radians = Math.PI / 180
  const x = (b.lon - a.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians)
  return Math.hypot(x, (b.lat - a.lat) * radians) * 6371
}

/** Whether the institute comes so far. The hold asks again. */
export const isWithinReach = ({ location, atHomeRadiusKm = 0 }: Institute, address: Point): boolean =>
  kilometres(location, address) <= atHomeRadiusKm

export const homeText = ({ line, postalCode, city }: { line: string; postalCode?: string | null; city: string }): string =>
  `${line}, ${[postalCode, city].filter(Boolean).join(' ')}`
