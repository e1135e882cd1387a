// Whether scripts have taken over: false in the document as it is sent. Until then a form has no submit button, so that
// nothing typed ends up in an address.
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
