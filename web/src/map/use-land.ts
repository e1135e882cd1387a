// Fetches the land around the window, and again only when the window leaves it.
import { useEffect, useState } from 'react'
import { covers, landAddress, landAreaFor, type Land } from './land-area.ts'
import type { Area } from './mercator.ts'

const known = new Map<string, Promise<Land>>()

function fetchLand(address: string): Promise<Land> {
  const before = known.get(address)
  if (before) return before
  const asked = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`no land at ${address}`)
    return response.json() as Promise<Land>
  })
  known.set(address, asked)
  asked.catch(() => known.delete(address))
  return asked
}

/** Null until the first piece is here; the window is then all land, which most windows are. */
export function useLand(window: Area): Land | null {
  const [land, setLand] = useState<Land | null>(null)
  const address = landAddress(landAreaFor(window))
  useEffect(() => {
    let wanted = true
    fetchLand(address).then(
      (piece) => {
        if (wanted) setLand(piece)
      },
      // Without its coast the map still shows places and distances.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [address])
  return land && covers(land.area, window) ? land : null
}
