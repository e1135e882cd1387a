// What a signed-in person marked, behind the button of a heart.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect, useRef } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { showToast } from '#/ui/toasts.ts'
import type { Tapping } from './heart.tsx'
import { useMarks, useSetFavourite } from './use-favourites.ts'

/** Does what a tap asks for once it is known what somebody marked; where that cannot be read, asks once more and says so. */
export function OwnMark({ id, tapped, setTapped, user, onMarked }: Tapping & { user: SessionUser; onMarked: (marked: boolean) => void }) {
  const { ids, failure, readAgain } = useMarks(user)
  const set = useSetFavourite(user)
  const marked = ids?.includes(id) ?? false
  const isKnown = ids !== undefined
  const isAskedAgain = useRef(false)
  useEffect(() => {
    onMarked(marked)
    return () => onMarked(false)
  }, [marked, onMarked])
  useEffect(() => {
    if (!tapped || (!isKnown && failure === null)) return
    if (!isKnown && readAgain && !isAskedAgain.current) {
      isAskedAgain.current = true
      return readAgain()
    }
    isAskedAgain.current = false
    setTapped(false)
    if (isKnown) set(id, !marked)
    else showToast({ type: 'error', title: failureText(failure) })
  }, [tapped, isKnown, failure, readAgain, marked, id, set, setTapped])
  return null
}
