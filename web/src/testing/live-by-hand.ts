// Stands for the live connection: it says what a socket would say, and keeps what it is asked. A test names it in its mock of `#/platform/live-socket.ts`.
import { act } from '@testing-library/react'
import { useEffect, useSyncExternalStore } from 'react'

const listeners = new Map<string, Set<(payload: unknown) => void>>()
const watchers = new Set<() => void>()
export const live = { asked: [] as string[], answers: true, isOn: true }

export function resetLive(): void {
  Object.assign(live, { asked: [], answers: true, isOn: true })
}

export const hear = (name: string, payload?: unknown) =>
  act(async () => {
    for (const listener of listeners.get(name) ?? []) listener(payload)
    await Promise.resolve()
  })

/** The line goes, or comes back. */
export const turnLine = (isOn: boolean) =>
  act(async () => {
    live.isOn = isOn
    for (const watcher of watchers) watcher()
    await Promise.resolve()
  })

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export const useIsLive = (): boolean => useSyncExternalStore(watch, () => live.isOn)

export async function askLive(request: string): Promise<boolean> {
  live.asked.push(request)
  return live.answers
}

export function useLive(name: string, listener: (payload: unknown) => void): void {
  useEffect(() => {
    const all = listeners.get(name) ?? new Set()
    listeners.set(name, all.add(listener))
    return () => void all.delete(listener)
  })
}
