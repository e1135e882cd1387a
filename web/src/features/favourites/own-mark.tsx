// What a signed-in person marked, behind the button of a heart.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect } from 'react'
import type { Tapping } from './heart.tsx'
import { useFavouriteIds, useSetFavourite } from './use-favourites.ts'

/** Does what a tap asks for once it is known what somebody marked. */
export function OwnMark({ id, tapped, setTapped, user, onMarked }: Tapping & { user: SessionUser; onMarked: (marked: boolean) => void }) {
  const ids = useFavouriteIds(user)
  const set = useSetFavourite(user)
  const marked = ids?.includes(id) ?? false
  const isKnown = ids !== undefined
  useEffect(() => {
    onMarked(marked)
    return () => onMarked(false)
  }, [marked, onMarked])
  useEffect(() => {
    if (!tapped || !isKnown) return
    setTapped(false)
    set(id, !marked)
  }, [tapped, isKnown, marked, id, set, setTapped])
  return null
}
