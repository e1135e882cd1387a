// The draft on screen: every change is kept at once, so that a reload loses nothing.
import { useCallback, useEffect, useRef, useState } from 'react'
import { storageKeys } from '#/platform/storage.ts'
import { keepDraft, readDraft, type SetupDraft, storedDraft } from './draft.ts'

/** What changes; or how it follows from the draft at that moment, where an answer came later than the question. */
export type DraftChange = (change: Partial<SetupDraft> | ((now: SetupDraft) => Partial<SetupDraft>)) => void

export function useDraft(userId: string): readonly [SetupDraft, DraftChange] {
  const [draft, setDraft] = useState(() => readDraft(userId))
  const latest = useRef(draft)
  useEffect(() => {
    // The first visit leaves a draft too: it is what the wizard goes on from.
    keepDraft(latest.current)
  }, [])
  useEffect(() => {
    // What another tab keeps is shown here, or the next letter typed here would write over it; each stays at its own step.
    // Once it is published or signed out of there, nothing is kept.
    function follow({ key }: StorageEvent) {
      const there = key === storageKeys.setupDraft ? storedDraft(userId) : null
      if (there === null) return
      latest.current = { ...there, step: latest.current.step }
      setDraft(latest.current)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [userId])
  const change = useCallback<DraftChange>((part) => {
    latest.current = { ...latest.current, ...(typeof part === 'function' ? part(latest.current) : part) }
    setDraft(latest.current)
    keepDraft(latest.current)
  }, [])
  return [draft, change]
}
