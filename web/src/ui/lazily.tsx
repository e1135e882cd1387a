// A part that loads when it is shown. Without a connection its place stays empty, somebody is told, and it comes with the connection.
import { type ComponentType, lazy, type LazyExoticComponent, useEffect, useState } from 'react'
import { createStore } from './store.ts'

/** How often a part was wanted and could not be loaded. */
export const unloadedStore = createStore(0)

export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  function Later(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      const retry = () =>
        void load().then(
          (part) => setPart(() => part),
          () => unloadedStore.set(unloadedStore.get() + 1),
        )
      retry()
      addEventListener('online', retry)
      return () => removeEventListener('online', retry)
    }, [])
    return Part && <Part {...props} />
  }
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => Later) }))
}
