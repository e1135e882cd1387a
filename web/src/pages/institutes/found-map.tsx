// The map of what was found. Pins are reckoned only where it is drawn.
import type { ComponentProps } from 'react'
import { InstituteMap } from '#/map/institute-map.tsx'
import { useMapPins } from '#/features/institutes/map-pins.ts'
import type { Found } from '#/features/institutes/results-map.tsx'

type FoundMapProps = { cards: Found['items']; now: number } & Omit<ComponentProps<typeof InstituteMap>, 'pins'>

export function FoundMap({ cards, now, ...map }: FoundMapProps) {
  return <InstituteMap {...map} pins={useMapPins(cards, now)} />
}
