// A part that loads when it is shown. Without a connection its place stays empty, somebody is told, and it comes with the connection.
import { type ComponentType, lazy, type LazyExoticComponent, useEffect, useState } from 'react'

const listeners = new Set<() => void>()

/** Hears of each part that was wanted and could not be loaded; answers how to stop. */
export function onUnloaded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  function Later(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      const retry = () => {
        load().then(
          (part) => setPart(() => part),
          () => {
            for (const listener of listeners) listener()
          },
        )
      }
      retry()
      addEventListener('online', retry)
      return () => removeEventListener('online', retry)
    }, [])
    return Part && <Part {...props} />
  }
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => Later) }))
}
