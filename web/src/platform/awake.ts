// Whether scripts have taken over. Until then a form has no submit button, so that nothing typed ends up in an address.
import { useSyncExternalStore } from 'react'

function never(): () => void {
  return () => undefined
}

export function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
