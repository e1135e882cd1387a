// Keeps the live connection open while somebody is signed in; it comes after the page has been drawn.
import { useEffect } from 'react'
import { closeLive, openLive } from './live-socket.ts'
import { readStored, storageKeys } from './storage.ts'

const patienceMs = 300

/** Of one person: with another key there is another connection. */
export function LiveConnection({ namespace }: { namespace: string }) {
  useEffect(() => {
    const token = readStored(storageKeys.token)
    const timer = setTimeout(() => token !== null && void openLive(namespace, token), patienceMs)
    return () => {
      clearTimeout(timer)
      closeLive()
    }
  }, [namespace])
  return null
}
