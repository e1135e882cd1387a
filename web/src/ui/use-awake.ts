// Whether the scripts run: false in the document as it is sent, true as soon as the page is awake.
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

export function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
