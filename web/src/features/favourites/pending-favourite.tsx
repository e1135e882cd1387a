// Sets the heart that a guest tapped before signing in, and takes it out of the address.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { favouriteOfHash } from './pending-favourite-hash.ts'
import { useSetFavourite } from './use-favourites.ts'

export function PendingFavourite({ user }: { user: SessionUser }) {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const set = useSetFavourite(user)
  const done = useRef<string | null>(null)
  const id = favouriteOfHash(hash)
  useEffect(() => {
    if (id === null || done.current === id) return
    done.current = id
    set(id, true)
    void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [id, pathname, search, set, navigate])
  return null
}
