// What was typed and not yet sent, kept while somebody types.
import { useEffect, useRef } from 'react'
import { get, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'

/** Where a draft is kept; the page says under which key. */
export type DraftPlace = { read: () => string | null; write: (text: string) => void; forget: () => void }

const restMilliseconds = 400

function storedValues(place: DraftPlace): FieldValues {
  try {
    const stored: unknown = JSON.parse(place.read() ?? 'null')
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
  } catch {
    return {}
  }
}

/** Not filled in yet, as opposed to filled with something of another kind. */
const isOpen = (value: unknown): boolean => value === null || value === ''

/**
 * The draft as the schema of today reads it. What is half typed stays; a field whose value is of another kind, because
 * the form has changed since or somebody's hand was at it, begins anew.
 */
export function readDraft<Values extends FieldValues>(place: DraftPlace, schema: z.ZodMiniType<unknown, Values>, defaults: Values): Values {
  const stored = storedValues(place)
  const known = Object.entries(stored).filter(([name]) => Object.hasOwn(defaults, name))
  const draft = { ...defaults, ...Object.fromEntries(known) }
  const kinds = new Set(['invalid_type', 'invalid_value', 'invalid_union'])
  for (const { code, path } of schema.safeParse(draft).error?.issues ?? []) {
    const [name] = path
    if (typeof name !== 'string' || !kinds.has(code ?? '') || isOpen(get(draft, path.join('.')))) continue
    Object.assign(draft, { [name]: defaults[name] })
  }
  return draft
}

/** Keeps what is typed after a moment of rest, and at once when the page is left. Returns how to forget it. */
export function useKeptDraft<Values extends FieldValues>(form: Pick<UseFormReturn<Values>, 'subscribe'>, place: DraftPlace | undefined) {
  const latest = useRef(place)
  const waiting = useRef<{ timer: number; text: string } | null>(null)
  useEffect(() => {
    latest.current = place
  })
  const { subscribe } = form
  useEffect(() => {
    function flush() {
      if (!waiting.current) return
      clearTimeout(waiting.current.timer)
      latest.current?.write(waiting.current.text)
      waiting.current = null
    }
    const unsubscribe = subscribe({
      formState: { values: true },
      callback({ values }) {
        if (!latest.current) return
        clearTimeout(waiting.current?.timer)
        waiting.current = { timer: window.setTimeout(flush, restMilliseconds), text: JSON.stringify(values) }
      },
    })
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      unsubscribe()
      flush()
    }
  }, [subscribe])
  return function forget() {
    clearTimeout(waiting.current?.timer)
    waiting.current = null
    latest.current?.forget()
  }
}
